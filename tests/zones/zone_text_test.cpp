// SPDX-License-Identifier: LGPL-2.1-or-later
// Zones and totals as text and as JSON, and what is wrong with some.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "cltrack/zones.h"
#include "support/errors.h"

namespace cltrack {
namespace {

using test::expect_rejected;

const std::vector<Zone> kZones = {
    {.name = "door", .kind = ZoneKind::line, .corners = {{0.1f, 0.5f}, {0.9f, 0.5f}}},
    {.name = "till",
     .corners = {{10, 20}, {100, 20.5f}, {100, 200}},
     .in_pixels = true,
     .labels = {"person", "dog"},
     .dwell_time = 1'500'000'000,
     .crowd_limit = 4}};

TEST(ZoneText, IsRead) {
  EXPECT_EQ(parse_zones("door: line 0.1,0.5 0.9,0.5; till: area pixels label=person label=dog "
                        "dwell=1.5 crowd=4 10,20 100,20.5 100,200"),
            kZones);
  EXPECT_EQ(parse_zones("\n door :line  0.1,0.5\t0.9,0.5 ;;\n till:area 10,20 100,20.5 100,200 "
                        "crowd=4 label=person pixels label=dog dwell=1.5;"),
            kZones);
  EXPECT_TRUE(parse_zones("").empty());
  EXPECT_TRUE(parse_zones(" ; ").empty());
}

TEST(ZoneText, IsJsonToo) {
  EXPECT_EQ(parse_zones(R"( {"zones": [
      {"name": "door", "line": [[0.1, 0.5], [0.9, 0.5]]},
      {"name": "till", "area": [[10, 20], [100, 20.5], [100, 200]], "units": "pixels",
       "labels": ["person", "dog"], "dwell": 1.5, "crowd": 4}]})"),
            kZones);
  EXPECT_EQ(parse_zones(zones_json(kZones)), kZones);
  EXPECT_THAT(zones_json(kZones), testing::HasSubstr("0.9,")) << "digits as people write them";
  EXPECT_TRUE(parse_zones(zones_json({})).empty());
}

TEST(ZoneText, SaysWhatIsWrongWithText) {
  const auto refused = [](const std::string& text, const std::string& part) {
    expect_rejected([&] { parse_zones(text); }, {part});
  };
  refused("door", "\"door\" has no name; write NAME: area");
  refused("door: circle 1,1 2,2", "zone \"door\": its kind is \"circle\"; allowed: area, line");
  refused("door:", "its kind is \"\"");
  refused("door: line 0.1,0.5 0.9", "\"0.9\" is no corner; write X,Y");
  refused("door: line 0.1,0.5 0.9,", "\"0.9,\" is no corner");
  refused("door: line 0.1,0.5 0.9,0.5x", "\"0.9,0.5x\" is no corner");
  refused("door: line 0.1,0.5 nan,0.5", "zone 1 (\"door\"): corner 2 is nan,0.5");
  refused("door: line colour=red 0.1,0.5 0.9,0.5", "there is no \"colour\"; allowed: dwell, crowd");
  refused("till: area dwell=long 0,0 1,0 1,1", "dwell is \"long\"; allowed: a number from 0");
  refused("till: area dwell=nan 0,0 1,0 1,1", "dwell is \"nan\"");
  refused("till: area crowd=-1 0,0 1,0 1,1", "crowd is \"-1\"");
  refused("door: line dwell=2 0.1,0.5 0.9,0.5", "a line has no dwell time");
  refused("a: line 0,0 1,1; a: line 0,1 1,0", "zone 2 (\"a\"): there are two of this name");
  refused(": line 0,0 1,1", "its name has 0 bytes; allowed: 1 to 64");
  refused("a/b: line 0,0 1,1", "its name has \"/\"; allowed: letters");
  refused("t\xfcr: line 0,0 1,1", "not valid UTF-8");
  refused("a: line label=\xfc 0,0 1,1", "not valid UTF-8");
  refused("a: area 0,0 1,1 1,0 0,1", "zone 1 (\"a\"): it crosses itself");
  std::string many;
  for (int i = 0; i < 257; ++i) many += "z" + std::to_string(i) + ": line 0,0 1,1;";
  refused(many, "257 zones; allowed: up to 256");
  std::string large = "a: area";
  for (int i = 0; i < 1'000'000; ++i) large += " 0,0";
  refused(large, "it has 1000000 corners; allowed: 3 to 1000");
}

TEST(ZoneText, SaysWhatIsWrongWithJson) {
  const auto refused = [](const std::string& text, const std::string& part) {
    expect_rejected([&] { parse_zones(text); }, {part});
  };
  const auto zone = [&](const std::string& fields, const std::string& part) {
    refused(R"({"zones":[{"name":"a",)" + fields + "}]}", part);
  };
  refused("{", "it is not JSON: ");
  refused(R"({"zones":[{"name":"a","li)", "it is not JSON: ");
  refused("{}", "it has no zones");
  refused(R"({"zones":3})", "zones is not a list");
  refused(R"({"zones":[3]})", "zones, entry 1: it is not an object");
  refused(R"({"zones":[{"line":[[0,0],[1,1]]}]})", "entry 1: it has no name");
  refused(R"({"zones":[{"name":3,"line":[[0,0],[1,1]]}]})", "name is not a text");
  zone(R"("line":3)", "line is not a list");
  zone(R"("line":[[0,0],[1]])", "corner 2 is not a list of two numbers");
  zone(R"("line":[[0,0],[1,"1"]])", "a corner is not a number from 0");
  zone(R"("line":[[0,0],[1,1e999]])", "it is not JSON");
  zone(R"("line":[[0,0],[1,null]])", "a corner is not a number");
  zone(R"("line":[[0,0],[1,1]],"area":[[0,0],[1,1],[1,0]])", "it has area and line");
  zone(R"("line":[[0,0],[1,1]],"units":"metres")", "units is \"metres\"; allowed: pixels");
  zone(R"("line":[[0,0],[1,1]],"labels":[3])", "labels has what is not a text");
  zone(R"("line":[[0,0],[1,1]],"colour":3)", "there is no \"colour\"; allowed: name, area");
  zone(R"("area":[[0,0],[1,1],[1,0]],"dwell":-1)", "dwell is not a number from 0");
  zone(R"("area":[[0,0],[1,1],[1,0]],"crowd":"x")", "crowd is not a number from 0");
  zone(R"("units":"pixels")", "it has 0 corners");
  std::string large;
  for (int i = 0; i < 1'000'000; ++i) large += "[0,0],";
  zone(R"("area":[)" + large + "[0,0]]", "area has 1000001 entries; at most 1000 are allowed");
}

TEST(ZoneText, TakesNamesOfAllLanguages) {
  EXPECT_EQ(parse_zones("Tür-1.b_2: line 0,0 1,1").front().name, "Tür-1.b_2");
}

TEST(ZoneTotals, AreKeptAsJson) {
  const std::vector<ZoneTotals> totals = {
      {.name = "door", .forward = 7, .backward = 1ULL << 40U},
      {.name = "till", .entered = 5, .left = 4, .dwelled = 3, .crowded = 2, .most = 1}};
  EXPECT_EQ(parse_totals(totals_json(totals)), totals);
  EXPECT_TRUE(parse_totals(totals_json({})).empty());
  expect_rejected([] { parse_totals(""); }, {"it is not JSON"});
  expect_rejected([] { parse_totals(R"({"totals":[{"name":"door"}]})"); },
                  {"totals, entry 1: it has no entered"});
  const std::string text = totals_json(totals);
  for (std::size_t size = 0; size < text.size() - 2; ++size) {
    expect_rejected([&] { parse_totals(std::string_view(text).substr(0, size)); });
  }
}

}  // namespace
}  // namespace cltrack
