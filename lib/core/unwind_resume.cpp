// SPDX-License-Identifier: LGPL-2.1-or-later
// _Unwind_Resume(), which compilers call after the destructors of each frame that an exception
// leaves. libgcc_s has one, and so has libunwind, which some processes load for everybody:
// GStreamer's typelib does in every Python program. The dynamic linker may bind our libraries to
// libunwind's while libstdc++, which throws, was bound to libgcc_s before; each then misreads what
// the other keeps in the exception, and the process ends. So each of our libraries has this one,
// hidden, which goes on with the unwinder that libstdc++ throws with, whichever that is.
#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <cstddef>
#include <cstring>
#include <exception>

struct _Unwind_Exception;

namespace {

using Resume = void (*)(_Unwind_Exception*);

constexpr int kSymbolShift = sizeof(ElfW(Addr)) == 8 ? 32 : 8;  // ELF64_R_SYM, ELF32_R_SYM

// The imports that a shared object has from the dynamic linker.
struct Imports {
  explicit Imports(const link_map& object) : base(object.l_addr) {
    for (const ElfW(Dyn)* entry = object.l_ld; entry->d_tag != DT_NULL; ++entry) {
      switch (entry->d_tag) {
        case DT_SYMTAB:
          symbols = reinterpret_cast<const ElfW(Sym)*>(address(entry));
          break;
        case DT_STRTAB:
          names = reinterpret_cast<const char*>(address(entry));
          break;
        case DT_RELA:
          tables[0].address = address(entry);
          break;
        case DT_RELASZ:
          tables[0].size = entry->d_un.d_val;
          break;
        case DT_JMPREL:
          tables[1].address = address(entry);
          break;
        case DT_PLTRELSZ:
          tables[1].size = entry->d_un.d_val;
          break;
        case DT_PLTREL:
          plt_has_addends = entry->d_un.d_val == DT_RELA;
          break;
        default:
          break;
      }
    }
  }

  // The address that the linker has found for a function; null if the object asks for none of that
  // name, or in another way than 64-bit systems do.
  void* find(const char* name) const {
    if (symbols == nullptr || names == nullptr || !plt_has_addends) return nullptr;
    for (const auto& [first, size] : tables) {
      const auto* const entries = reinterpret_cast<const ElfW(Rela)*>(first);
      for (std::size_t i = 0; i < size / sizeof(ElfW(Rela)); ++i) {
        const auto symbol = static_cast<std::size_t>(entries[i].r_info >> kSymbolShift);
        if (std::strcmp(names + symbols[symbol].st_name, name) == 0) {
          return *reinterpret_cast<void* const*>(base + entries[i].r_offset);
        }
      }
    }
    return nullptr;
  }

 private:
  // glibc has added the base already, but on a few architectures.
  ElfW(Addr) address(const ElfW(Dyn) * entry) const {
    return entry->d_un.d_ptr < base ? base + entry->d_un.d_ptr : entry->d_un.d_ptr;
  }

  struct Table {
    ElfW(Addr) address = 0;
    std::size_t size = 0;
  };
  ElfW(Addr) base;
  const ElfW(Sym) * symbols = nullptr;
  const char* names = nullptr;
  Table tables[2];
  bool plt_has_addends = true;
};

// The unwinder that libstdc++ throws with. An exception is on its way, so it has been bound.
Resume find_resume() {
  Dl_info info;
  link_map* libstdcxx = nullptr;
  if (dladdr1(reinterpret_cast<void*>(&std::terminate), &info, reinterpret_cast<void**>(&libstdcxx),
              RTLD_DL_LINKMAP) != 0 &&
      libstdcxx != nullptr) {
    void* const raise = Imports(*libstdcxx).find("_Unwind_RaiseException");
    if (raise != nullptr && dladdr(raise, &info) != 0) {
      void* const library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
      void* const found = library != nullptr ? dlsym(library, "_Unwind_Resume") : nullptr;
      if (library != nullptr) dlclose(library);
      if (found != nullptr) return reinterpret_cast<Resume>(found);
    }
  }
  return reinterpret_cast<Resume>(dlsym(RTLD_DEFAULT, "_Unwind_Resume"));
}

}  // namespace

// The exception leaves this frame as well, which therefore has nothing to clean up: ThreadSanitizer
// would note the end of the function, and resume, without end.
extern "C" [[noreturn]] __attribute__((visibility("hidden"), no_sanitize("thread"))) void
_Unwind_Resume(_Unwind_Exception* exception) {
  static const Resume resume = find_resume();
  resume(exception);
  std::terminate();
}
