import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const PYTHON = '/usr/bin/python3'

/** What the worker in Python needs, on Debian and its kin. */
export const PYTHON_PACKAGES = ['python3-ecdsa', 'python3-pycryptodome', 'python3-httpx'] as const

/** The interpreter that has them: the system's, whatever PATH says; null where there is none. */
export function findPython(): string | null {
  if (!existsSync(PYTHON)) return null
  const probe = spawnSync(PYTHON, ['-c', 'import ecdsa, httpx, Cryptodome.Hash.keccak'], { stdio: 'ignore' })
  return probe.status === 0 ? PYTHON : null
}
