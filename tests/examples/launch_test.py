#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs each script of examples/launch, with stand-ins for cameras and displays.

Usage: launch_test.py SOURCE_DIR BUILD_DIR
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'support'))
import shell_commands  # noqa: E402

BOX = '100,80,60,60'
WHITE = '<"hsv,saturation-max=0.2,value-min=0.7,label=ball">'
ARGUMENTS = {
    'camera_to_window.sh': [BOX],
    'colors_to_png.sh': ['video.mp4', WHITE, '1', 'pictures'],
    'file_to_mp4.sh': ['video.mp4', BOX, 'output.mp4'],
    'file_to_window.sh': ['video.mp4', BOX],
    'messages.sh': ['video.mp4', BOX],
    'rtsp_to_window.sh': ['rtsp://camera.example/stream', BOX],
    'template_to_window.sh': ['video.mp4', BOX],
}


def cases(tap, source_dir, _, work, env):
    scripts = sorted((source_dir / 'examples' / 'launch').glob('*.sh'))
    tap.check('every script has arguments to run it with',
              {script.name for script in scripts} == set(ARGUMENTS), scripts)
    for script in scripts:
        text = shell_commands.substitute(script.read_text(encoding='utf-8'))
        (work / script.name).write_text(text, encoding='utf-8')
        arguments = ' '.join(f"'{word}'" for word in ARGUMENTS.get(script.name, []))
        tap.check(script.name, *shell_commands.run(f'sh -e {script.name} {arguments}', work, env))
        tap.check(f'{script.name} without arguments says what it needs',
                  not shell_commands.run(f'sh -e {script.name}', work, env)[0])
    shell_commands.make_portrait(work, env)
    for name, arguments in ARGUMENTS.items():
        if arguments[0] != 'video.mp4':
            continue
        words = ['portrait.mp4' if word == 'video.mp4' else shell_commands.UPRIGHT_BOX if word == BOX else
                 word.replace('output', 'upright') for word in arguments]
        line = ' '.join(f"'{word}'" for word in words)
        tap.check(f'{name} takes boxes as a portrait is shown',
                  *shell_commands.run(f'sh -e {name} {line}', work, env))
    picture = shell_commands.shown_picture('upright.mp4', work, env)
    tap.check('file_to_mp4.sh writes it upright', shell_commands.is_upright(picture), picture)
    output = work / 'output.mp4'
    pictures = sorted((work / 'pictures').glob('second-*.png'))
    tap.check('colors_to_png.sh wrote a picture of every second', len(pictures) in (2, 3), pictures)
    tap.check('file_to_mp4.sh wrote a video', output.exists() and output.stat().st_size > 1000)


if __name__ == '__main__':
    shell_commands.main(__doc__, cases)
