import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const PYTHON = '/usr/bin/python3'

/** Packages that the Python package requires, on Debian and derivatives; pip brings setuptools and wheel for the build. */
export const PYTHON_PACKAGES = ['python3-ecdsa', 'python3-pycryptodome', 'python3-httpx', 'python3-pip'] as const

/** Packages that the programs of analysts in Python need. */
export const ANALYSTS_PACKAGES = ['python3-sqlalchemy', 'python3-psycopg2', 'python3-pandas'] as const

/** Finds the interpreter with the modules of the package: the system's, for any PATH; null: there is none. */
export function findPython(): string | null {
  return findWith('ecdsa', 'httpx', 'Cryptodome.Hash.keccak', 'pip', 'setuptools', 'wheel')
}

/** Finds the interpreter with the modules of analysts; null: there is none. */
export function findAnalystsPython(): string | null {
  return findWith('sqlalchemy', 'psycopg2', 'pandas')
}

/** Finds modules without loading them: pandas alone takes most of a second. */
function findWith(...modules: string[]): string | null {
  if (!existsSync(PYTHON)) return null
  const probe = 'import sys; from importlib.util import find_spec; sys.exit(not all(map(find_spec, sys.argv[1:])))'
  return spawnSync(PYTHON, ['-c', probe, ...modules], { stdio: 'ignore' }).status === 0 ? PYTHON : null
}
