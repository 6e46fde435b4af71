import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Child, startChild, waitUntilReady } from '../../ops/process/child.ts'
import { findFreePort } from '../../ops/process/ports.ts'
import { unprivilegedUser } from '../../scripts/postgres/postgres-user.ts'
import { findNginx, NGINX_PACKAGE } from '../../scripts/stack/find-nginx.ts'

/** The path that nginx answers itself, with 204; each configuration has it. */
export const PROXY_IS_UP = '/proxy-is-up'

/** A running nginx. */
export interface RunningNginx {
  /** Without a path. */
  url: string
  /** Ends it and deletes what it keeps. */
  stop(): Promise<void>
}

/**
 * Starts nginx on a free port.
 * @param configurationOf the directives inside of `http`
 */
export async function startNginx(
  configurationOf: (place: { directory: string; port: number }) => string,
): Promise<RunningNginx> {
  const nginx = findNginx()
  if (nginx === null) throw new Error(`these tests need nginx: apt-get install ${NGINX_PACKAGE}`)
  const user = unprivilegedUser()
  const directory = mkdtempSync(join(tmpdir(), 'task-market-nginx-'))
  chmodSync(directory, 0o700)
  if (user !== null) chownSync(directory, user.uid, user.gid)
  const port = await findFreePort()
  const configuration = join(directory, 'nginx.conf')
  writeFileSync(configuration, wholeConfiguration(directory, configurationOf({ directory, port })))
  if (user !== null) chownSync(configuration, user.uid, user.gid)
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
    const isTaken = isPortTaken(child)
    await stop()
    // Another process may bind the port between the choice and the start.
    if (isTaken) return startNginx(configurationOf)
    throw error
  }
}

function wholeConfiguration(directory: string, directives: string): string {
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
${directives}
}
`
}

async function answers(url: string): Promise<true | null> {
  try {
    return (await fetch(`${url}${PROXY_IS_UP}`)).status === 204 ? true : null
  } catch {
    return null
  }
}

function isPortTaken(child: Child): boolean {
  return child.readLog().includes('Address already in use')
}
