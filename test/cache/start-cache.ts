import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild, waitUntilReady } from '../../ops/process/child.ts'
import { findFreePort } from '../../ops/process/ports.ts'
import { unprivilegedUser } from '../../scripts/postgres/postgres-user.ts'
import { findNginx, NGINX_PACKAGE } from '../../scripts/stack/find-nginx.ts'

/** Where nginx says what it did: `MISS`, `HIT`, `EXPIRED`, `REVALIDATED`. */
export const CACHE_STATUS = 'X-Cache-Status'

/** The path that nginx answers itself, with 204. */
const PROXY_IS_UP = '/proxy-is-up'

/** A running nginx. */
interface RunningNginx {
  /** Without a path. */
  url: string
  /** Ends it and deletes what it keeps. */
  stop(): Promise<void>
}

/**
 * Starts nginx on a free port in front of a service, with the settings that are worst for it: `Vary` is ignored, an answer that
 * does not say otherwise is kept, errors and the answers of POST included, and the key is method, URL and `Accept-Encoding`.
 * The buffers are those of the package.
 * @param serviceUrl without a path
 */
export async function startCache(serviceUrl: string): Promise<RunningNginx> {
  const nginx = findNginx()
  if (nginx === null) throw new Error(`these tests need nginx: apt-get install ${NGINX_PACKAGE}`)
  const user = unprivilegedUser()
  const directory = mkdtempSync(join(tmpdir(), 'task-market-nginx-'))
  chmodSync(directory, 0o700)
  const port = await findFreePort()
  const configuration = join(directory, 'nginx.conf')
  writeFileSync(configuration, configurationOf({ directory, port, serviceUrl }))
  if (user !== null) for (const path of [directory, configuration]) chownSync(path, user.uid, user.gid)
  const child = await startChild({
    name: 'nginx',
    command: nginx,
    args: ['-e', 'stderr', '-p', directory, '-c', configuration],
    cwd: directory,
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
    logFile: join(directory, 'nginx.log'),
    stopSignal: 'SIGTERM',
    temporaryDirectory: directory,
    ...(user !== null && { user: { uid: user.uid, gid: user.gid } }),
  })
  const url = `http://127.0.0.1:${port}`
  const stop = async () => {
    await child.stop()
    rmSync(directory, { recursive: true, force: true })
  }
  try {
    await waitUntilReady(child, () => answers(url))
    return { url, stop }
  } catch (error) {
    const isTaken = child.readLog().includes('Address already in use')
    await stop()
    // Another process may bind the port between the choice and the start.
    if (isTaken) return startCache(serviceUrl)
    throw error
  }
}

async function answers(url: string): Promise<true | null> {
  try {
    return (await fetch(`${url}${PROXY_IS_UP}`)).status === 204 ? true : null
  } catch {
    return null
  }
}

function configurationOf({ directory, port, serviceUrl }: { directory: string; port: number; serviceUrl: string }) {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `
daemon off;
worker_processes 1;
pid ${directory}/nginx.pid;
error_log stderr warn;
events { worker_connections 256; }
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${directory}/${name};`).join(' ')}
  proxy_cache_path ${directory}/kept levels=1 keys_zone=shared:2m inactive=1h use_temp_path=off;
  proxy_http_version 1.1;
  proxy_set_header Connection "";
  proxy_set_header Host $http_host;
  proxy_cache shared;
  proxy_cache_key "$request_method $request_uri $http_accept_encoding";
  proxy_cache_methods GET HEAD POST;
  proxy_cache_valid any 1h;
  proxy_cache_revalidate on;
  add_header ${CACHE_STATUS} $upstream_cache_status always;
  server {
    listen 127.0.0.1:${port};
    location = ${PROXY_IS_UP} { return 204; }
    location / {
      proxy_pass ${serviceUrl};
      proxy_ignore_headers Vary;
    }
  }
}
`
}
