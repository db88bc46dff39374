# SPDX-License-Identifier: LGPL-2.1-or-later
"""Who may look, and who may command, and save zones: those who know a token for that, which is the first part of each address, from a page of this
server alone. Other pages in the same browser could send requests here, too, without reading the answers;
and with a name of theirs for this machine's address (DNS rebinding) read them as well."""
import ipaddress
import secrets
import socket
import urllib.parse


class Access:
    def __init__(self):
        self.token = secrets.token_urlsafe(24)
        self.look_token = secrets.token_urlsafe(24)  # with which one can look alone

    def page_of(self, path):
        """What follows the token in a path, "", "pictures" and so on, and whether it is one with which one may
        command; (None, False) for a wrong token."""
        token, _, page = path.partition('?')[0].removeprefix('/').partition('/')
        # In a time that does not tell how much of it is right.
        given = token.encode(errors='replace')
        may_command = secrets.compare_digest(given, self.token.encode())
        may_look = secrets.compare_digest(given, self.look_token.encode())
        return (page, may_command) if may_command or may_look else (None, False)


def client_of(address):
    """Whose connections count together: those of an address, or of the network that one client has of IPv6."""
    client = ipaddress.ip_address(address.partition('%')[0])
    if client.version == 6 and client.ipv4_mapped:
        client = client.ipv4_mapped
    return ipaddress.ip_network((client, 32 if client.version == 4 else 64), strict=False)


def is_own_name(host):
    """Whether a header Host has an address, or this machine's own name: none that a stranger could give."""
    try:
        name = urllib.parse.urlsplit(f'//{host}').hostname or ''
        own = socket.gethostname().lower()
        if name in ('localhost', own, f'{own}.local'):
            return True
        ipaddress.ip_address(name)
        return True
    except ValueError:
        return False


def is_own_page(headers):
    """Whether a request comes from a page of this server, or from no browser at all."""
    origin = headers.get('Origin')
    if origin is not None and origin != f'http://{headers.get("Host")}':
        return False
    return headers.get('Sec-Fetch-Site', 'same-origin') == 'same-origin'
