import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const PYTHON = '/usr/bin/python3'

/**
 * Names of the Debian packages that the Python client requires. pip itself brings setuptools and wheel for the build.
 */
export const PYTHON_PACKAGES = ['python3-ecdsa', 'python3-pycryptodome', 'python3-httpx', 'python3-pip'] as const

/** Names of the Debian packages that Python programs of analysts need. */
export const ANALYSTS_PACKAGES = ['python3-sqlalchemy', 'python3-psycopg2', 'python3-pandas'] as const

/**
 * Finds the system's Python interpreter, if it has the modules that the Python client requires; otherwise null. Does
 * not use PATH.
 */
export function findPython(): string | null {
  return findWith('ecdsa', 'httpx', 'Cryptodome.Hash.keccak', 'pip', 'setuptools', 'wheel')
}

/** Finds the system's Python interpreter, if it has the modules for analysts; otherwise null. */
export function findAnalystsPython(): string | null {
  return findWith('sqlalchemy', 'psycopg2', 'pandas')
}

/**
 * Finds the interpreter if it has the given modules. The modules are only looked up and not loaded, because loading
 * pandas takes almost a second.
 */
function findWith(...modules: string[]): string | null {
  if (!existsSync(PYTHON)) return null
  const probe = 'import sys; from importlib.util import find_spec; sys.exit(not all(map(find_spec, sys.argv[1:])))'
  return spawnSync(PYTHON, ['-c', probe, ...modules], { stdio: 'ignore' }).status === 0 ? PYTHON : null
}
