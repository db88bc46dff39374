#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Checks the files of examples/fleet for systemd, Docker, MediaMTX and Pipeline Server, as far as can be without
these: they are parsed, what they name is looked for, and each pipeline in them is run.

Usage: fleet_files_test.py SOURCE_DIR BUILD_DIR RTSP_SERVER
"""
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'support'))
import shell_commands  # noqa: E402
from shell_commands import PYTHON  # noqa: E402
from tap import Tap, skip_all  # noqa: E402

READ_YAML = 'import json, sys, yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))'
# Of 10; systemd's own services have 2 to 9.
MOST_EXPOSED = 2.5
# What the reader makes: passwords are not in the repository.
MADE = {'./passwords', 'cam1.env', 'cam2.env'}


def check_unit(tap, folder, work):
    """As an instance: names with %i and %I are filled in."""
    if not shutil.which('systemd-analyze'):
        tap.skip('the systemd unit', 'no systemd-analyze')
        return
    unit = work / 'cltrack@cam1.service'
    shutil.copy(folder / 'cltrack@.service', unit)
    done, output = shell_commands.run(f'systemd-analyze verify {unit}', work, dict(os.environ))
    faults = [line for line in output.splitlines() if 'cltrack@' in line]
    tap.check('systemd takes the unit', done and not faults, output)
    done, output = shell_commands.run(f'systemd-analyze security --offline=true {unit}', work, dict(os.environ))
    level = re.search(r'exposure level for \S+: ([\d.]+)', output)
    if level is None:
        tap.skip('the unit is closed in', 'this systemd-analyze knows no --offline')
    else:
        tap.check('the unit is closed in', float(level[1]) <= MOST_EXPOSED, output)
    text = unit.read_text(encoding='utf-8')
    status = re.search(r'^WRONG_SETTINGS = (\d+)', (folder / 'run_camera.py').read_text(encoding='utf-8'), re.M)
    tap.check('wrong settings are not tried again', f'RestartPreventExitStatus={status[1]}\n' in text)


def read_yaml(tap, path):
    done = subprocess.run([PYTHON, '-c', READ_YAML, path], capture_output=True, text=True, check=False)
    tap.check(f'{path.name} is YAML', done.returncode == 0, done.stderr)
    return json.loads(done.stdout) if done.returncode == 0 else {}


def check_compose(tap, folder, work, env, rtsp_server):
    services = read_yaml(tap, folder / 'compose.yaml').get('services', {})
    named = []
    for service in services.values():
        named += service.get('env_file', [])
        named += [volume.split(':')[0] for volume in service.get('volumes', []) if volume[0] == '.']
        if 'build' in service:
            context = folder / service['build']['context']
            tap.check('the Dockerfile is there', (context / service['build']['dockerfile']).is_file())
    missing = [name for name in named if name not in MADE and not (folder / name).is_file()]
    tap.check('compose.yaml names files that are there', len(named) > 4 and not missing, missing)
    lost = [name for service in services.values() for name in service.get('depends_on', []) if name not in services]
    tap.check('and services that are there', len(services) > 3 and not lost, lost)
    ports = [port for service in services.values() for port in service.get('ports', [])]
    tap.check('ports are open to this machine alone', ports and
              all(port.startswith('127.0.0.1:') for port in ports), ports)
    mounted = {volume.split(':')[1] for volume in services['broker']['volumes']}
    conf = (folder / 'mosquitto.conf').read_text(encoding='utf-8')
    paths = re.findall(r'^\w+ (/\S+?)/?$', conf, re.M)
    tap.check('what mosquitto.conf names is mounted', len(paths) == 2 and set(paths) <= mounted, paths)
    command = services['cam1-view']['command']
    if rtsp_server == 'none':
        tap.skip('the command of cam1-view', 'rtsp-server is not built: no libgstrtspserver-1.0-dev')
        return services
    words = [{'0.0.0.0': '127.0.0.1', 'rtsp-server': rtsp_server}.get(word, word) for word in command]
    words = ['video.mp4' if word.startswith('rtsp://') else word for word in words] + ['--port', '0']
    done, output = shell_commands.run(shlex.join(words), work, env)
    tap.check('the command of cam1-view works', done and 'ready: ' in output, output)
    return services


def check_mediamtx(tap, folder, work, env, services):
    paths = read_yaml(tap, folder / 'mediamtx.yml').get('paths', {})
    url = paths['cam1-tracked']['source']
    served = re.fullmatch(r'rtsp://([\w-]+):8554/track', url)  # rtsp-server's own port and path
    tap.check('MediaMTX shows what compose.yaml serves', served and served[1] in services, url)
    shown = [word for service in services.values() for word in service.get('command', [])
             if word.startswith('rtsp://mediamtx:8554/')]
    tap.check('and has what is read there', shown and all(word.split('/')[-1] in paths for word in shown), shown)
    commands = [path['runOnDemand'] for path in paths.values() if 'runOnDemand' in path]
    for command in commands:
        # MediaMTX splits the words and fills in its variables itself, without a shell.
        command = shell_commands.substitute(command)
        command = re.sub(r'rtspclientsink location=\S+', 'fakesink', command)
        words = [word.replace('$RTSP_PORT', '8554') for word in shlex.split(command)]
        tap.check('a command of mediamtx.yml works', *shell_commands.run(shlex.join(words), work, env))
    tap.check('there is one', commands)


def run_lines(text):
    """The commands of a Dockerfile's RUN, without the bash around some."""
    lines = re.findall(r'^RUN (.*)$', text.replace('\\\n', ''), re.M)
    return [shlex.split(line)[2] if line.startswith('bash -c ') else line for line in lines]


def check_dockerfile(tap, folder, source_dir, work):
    text = (folder / 'Dockerfile').read_text(encoding='utf-8')
    sources = [word for line in re.findall(r'^COPY (?!--from)(.*)$', text, re.M) for word in line.split()[:-1]]
    tap.check('what the Dockerfile copies is there',
              sources and all((source_dir / name).exists() for name in sources), sources)
    ignore = (folder / 'Dockerfile.dockerignore').read_text(encoding='utf-8').splitlines()
    taken = {line[1:] for line in ignore if line.startswith('!')}
    meson = (source_dir / 'meson.build').read_text(encoding='utf-8')
    wanted = {name.split('/')[0] for name in re.findall(r"^subdir\('(.+)'\)", meson, re.M)}
    tap.check('and what is built gets there', wanted | {'tools', 'meson.build', 'meson_options.txt'} <= taken and
              all((source_dir / name).exists() for name in taken), wanted - taken)
    tap.check('but no passwords', ignore.index('*') < ignore.index('**/*.env') > ignore.index('!examples') and
              '**/passwords' in ignore and not re.search(r'^(ENV|ARG)', text, re.M), ignore)
    options = re.findall(r'-D(\w+)=', text)
    known = re.findall(r"^option\('(\w+)'", (source_dir / 'meson_options.txt').read_text(encoding='utf-8'), re.M)
    tap.check('its options of the build are some', options and set(options) <= set(known), options)
    commands = run_lines(text)
    for command in commands:
        tap.check(f'{command[:30]}... is shell', *shell_commands.run(f'bash -n -c {shlex.quote(command)}', work,
                                                                     dict(os.environ)))
    tap.check('the image runs as a user', re.search(r'^USER (?!root)', text, re.M))
    packages = ' '.join(commands).split('--no-install-recommends')[1].split('&&')[0].split()
    packages += re.findall(r'lib\S+-dev', text)
    release = pathlib.Path('/etc/os-release').read_text(encoding='utf-8')
    if 'VERSION_ID="12"' not in release or not shell_commands.run('apt-cache show bash', work, dict(os.environ))[0]:
        tap.skip('its packages are in Debian', 'not Debian 12, or apt has no lists: apt-get update')
        return
    missing = [name for name in packages
               if not shell_commands.run(f'apt-cache show {name}', work, dict(os.environ))[0]]
    tap.check('its packages are in Debian', len(packages) > 10 and not missing, missing)


def check_pipeline_server(tap, folder, work, env):
    """Elements of DL Streamer pass the pictures on; parameters are set as the server sets them."""
    config = json.loads((folder / 'pipeline_server' / 'config.json').read_text(encoding='utf-8'))
    values = {'targets-json': '[{"x":140,"y":100,"width":40,"height":40,"label":"ball"}]',
              'region': '0,0 1,0 1,1 0,1'}
    for pipeline in config['config']['pipelines']:
        name, line = pipeline['name'], pipeline['pipeline']
        line = line.replace('{auto_source}', 'filesrc location=video.mp4').replace('appsink name', 'fakesink name')
        line = re.sub(r'\bgva\w+( [\w-]+=\S+)*', 'identity', line)
        unknown = []
        for parameter in pipeline['parameters']['properties'].values():
            element = parameter['element']
            if 'property' in element and f'name={element["name"]} ' in line:
                value = shlex.quote(values[element['property']])
                line = line.replace(f'name={element["name"]} ',
                                    f'name={element["name"]} {element["property"]}={value} ')
            elif element.get('format') != 'element-properties':
                unknown.append(element)
        tap.check(f'{name}: its parameters are of its elements', not unknown, unknown)
        done, output = shell_commands.run(f'gst-launch-1.0 -m {line}', work, env)
        tap.check(f'{name}: the pipeline works', done, output)
        if 'targets' in pipeline['parameters']['properties']:
            tap.check(f'{name}: and tracks', 'label=(string)ball' in output and 'tracking' in output, output)


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    source_dir, build_dir = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    rtsp_server = sys.argv[3] if sys.argv[3] == 'none' else str(pathlib.Path(sys.argv[3]).resolve())
    if os.environ.get('CLTRACK_SANITIZE', 'none') != 'none':
        skip_all('gst-launch-1.0 cannot load a plugin that is built with a sanitizer')
    tap = Tap()
    folder = source_dir / 'examples' / 'fleet'
    env = shell_commands.environment(build_dir)
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        shell_commands.make_sample(work, env)
        check_unit(tap, folder, work)
        if subprocess.run([PYTHON, '-c', 'import yaml'], capture_output=True, check=False).returncode == 0:
            services = check_compose(tap, folder, work, env, rtsp_server)
            check_mediamtx(tap, folder, work, env, services)
        else:
            tap.skip('compose.yaml and mediamtx.yml', 'no python3-yaml')
        check_dockerfile(tap, folder, source_dir, work)
        check_pipeline_server(tap, folder, work, env)
    tap.done()


if __name__ == '__main__':
    main()
