"""An OpenStack Swift of one process behind its S3 interface: a real S3-compatible server for tests.

    python3 serve.py DIRECTORY      (with a `settings.json`: region, account, user, secret, bucketQuotas)

Account, container, object and proxy server, each on a free port of the loopback and all of one disk, a folder of
DIRECTORY. Every request's signature is checked. Writes `{"port": N}` to standard output once it answers.
"""
import json
import os
import sys

import eventlet
from swift.common import utils

utils.eventlet_monkey_patch()

# After the patch: they keep references to what it replaces.
from eventlet import wsgi  # noqa: E402
from swift.common import direct_client  # noqa: E402
from swift.common.ring import Ring, RingBuilder  # noqa: E402
from swift.common.storage_policy import reload_storage_policies  # noqa: E402
from swift.common.wsgi import SwiftHttpProtocol, loadapp  # noqa: E402

HOST = '127.0.0.1'
STORAGE = ('account', 'container', 'object')

SWIFT_CONF = """
[swift-hash]
swift_hash_path_suffix = tests
"""

STORAGE_CONF = """
[DEFAULT]
swift_dir = {directory}
devices = {directory}/devices
mount_check = false
log_custom_handlers = serve.log_to_stderr
log_level = ERROR

[app:main]
use = egg:swift#{name}
"""

PROXY_CONF = """
[DEFAULT]
swift_dir = {directory}
log_custom_handlers = serve.log_to_stderr
log_level = ERROR

[pipeline:main]
pipeline = catch_errors gatekeeper listing_formats cache s3api tempauth copy container_quotas dlo versioned_writes proxy-server

[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:cache]
paste.filter_factory = serve:without_memory
[filter:s3api]
use = egg:swift#s3api
location = {region}
[filter:tempauth]
use = egg:swift#tempauth
user_{account}_{user} = {secret} .admin
[filter:copy]
use = egg:swift#copy
[filter:container_quotas]
use = egg:swift#container_quotas
[filter:dlo]
use = egg:swift#dlo
[filter:versioned_writes]
use = egg:swift#versioned_writes

[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
"""


class NoMemory:
    """In memcached's place: remembers nothing between two requests."""

    def get(self, key, **options):
        return None

    def set(self, key, value, **options):
        pass

    def delete(self, key, **options):
        pass


def without_memory(global_conf, **conf):
    """Named in the settings above."""
    memory = NoMemory()

    def wrap(app):
        def call(env, start_response):
            env['swift.cache'] = memory
            return app(env, start_response)
        return call
    return wrap


def log_to_stderr(conf, name, log_to_console, log_route, fmt, logger, adapted_logger):
    """Named in the settings above: what the servers complain of goes where our own output does."""
    import logging
    logger.addHandler(logging.StreamHandler(sys.stderr))


def write(path, text):
    with open(path, 'w') as file:
        file.write(text)


def make_rings(directory, ports):
    """One device on one disk: where Swift looks for every object's only copy."""
    for name in STORAGE:
        builder = RingBuilder(1, 1, 0)
        builder.add_dev({'weight': 1, 'region': 1, 'zone': 1, 'ip': HOST, 'port': ports[name], 'device': 'disk'})
        builder.rebalance(seed=1)
        builder.get_ring().save(os.path.join(directory, name + '.ring.gz'))


def serve(socket, conf_file):
    app = loadapp(conf_file, global_conf={'log_name': os.path.basename(conf_file)})
    eventlet.spawn(
        wsgi.server, socket, app, utils.NullLogger(),
        protocol=SwiftHttpProtocol, socket_timeout=60, capitalize_response_headers=False,
    )


def make_container(directory, account, name, quota_bytes):
    """S3 has no word for a quota."""
    ring = Ring(directory, ring_name='container')
    part, nodes = ring.get_nodes(account, name)
    direct_client.direct_put_container(
        nodes[0], part, account, name,
        headers={'X-Container-Meta-Quota-Bytes': str(quota_bytes), 'X-Backend-Storage-Policy-Index': '0'},
    )


def main(directory):
    with open(os.path.join(directory, 'settings.json')) as file:
        settings = json.load(file)
    os.makedirs(os.path.join(directory, 'devices', 'disk'))
    write(os.path.join(directory, 'swift.conf'), SWIFT_CONF)
    utils.set_swift_dir(directory)
    reload_storage_policies()
    sockets = {name: eventlet.listen((HOST, 0)) for name in STORAGE + ('proxy',)}
    ports = {name: socket.getsockname()[1] for name, socket in sockets.items()}
    make_rings(directory, ports)
    for name, socket in sockets.items():
        conf_file = os.path.join(directory, name + '-server.conf')
        template = PROXY_CONF if name == 'proxy' else STORAGE_CONF
        write(conf_file, template.format(name=name, directory=directory, **settings))
        serve(socket, conf_file)
    for name, quota_bytes in settings['bucketQuotas'].items():
        make_container(directory, 'AUTH_' + settings['account'], name, quota_bytes)
    print(json.dumps({'port': ports['proxy']}), flush=True)
    while True:
        eventlet.sleep(3600)


if __name__ == '__main__':
    main(sys.argv[1])
