import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'

/** Programs of these tests, and the packages of Debian that bring them. */
const packages: Record<string, string> = {
  '/usr/bin/buildah': 'buildah',
  '/usr/sbin/debootstrap': 'debootstrap',
  '/usr/bin/caddy': 'caddy',
  '/usr/bin/psql': 'postgresql-client',
  '/usr/bin/systemd-analyze': 'systemd',
}
/** Forbids packages to start their servers (invoke-rc.d). */
const POLICY = '/usr/sbin/policy-rc.d'

/**
 * Installs what is missing.
 * @param programs those that are needed; all unless told
 * @throws where these tests cannot run, with what they need
 */
export function installPackages(programs: string[] = Object.keys(packages)): void {
  const names = programs.map((program) => packages[program] ?? program)
  const needs = `root on a Debian machine with ${names.join(', ')}, or with its archive to install them`
  if (process.getuid?.() !== 0) throw new Error(`These tests cannot run here: they need ${needs}.`)
  const missing = programs.flatMap((program) => (existsSync(program) ? [] : (packages[program] ?? program)))
  if (missing.length === 0) return
  const hasPolicy = existsSync(POLICY)
  if (!hasPolicy) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const apt = (...args: string[]) =>
      spawnSync('apt-get', ['-qq', '-y', ...args], { env: environment, encoding: 'utf8' })
    const install = () => apt('install', '--no-install-recommends', ...missing)
    if (install().status === 0 || (apt('update').status === 0 && install().status === 0)) return
    throw new Error(`These tests cannot run here: ${missing.join(', ')} could not be installed. They need ${needs}.`)
  } finally {
    if (!hasPolicy) rmSync(POLICY, { force: true })
  }
}
