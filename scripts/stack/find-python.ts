import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const PYTHON = '/usr/bin/python3'

/** What the package in Python needs, on Debian and its kin; pip, which brings setuptools and wheel, to be built. */
export const PYTHON_PACKAGES = ['python3-ecdsa', 'python3-pycryptodome', 'python3-httpx', 'python3-pip'] as const

/** Packages that the programs of analysts in Python need. */
export const ANALYSTS_PACKAGES = ['python3-sqlalchemy', 'python3-psycopg2', 'python3-pandas'] as const

/** The interpreter that has those of the package: the system's, whatever PATH says; null where there is none. */
export function findPython(): string | null {
  return findWith('ecdsa', 'httpx', 'Cryptodome.Hash.keccak', 'pip', 'setuptools', 'wheel')
}

/** The interpreter that has those of analysts; null where there is none. */
export function findAnalystsPython(): string | null {
  return findWith('sqlalchemy', 'psycopg2', 'pandas')
}

/** Looks for modules without loading them: pandas alone takes most of a second. */
function findWith(...modules: string[]): string | null {
  if (!existsSync(PYTHON)) return null
  const probe = 'import sys; from importlib.util import find_spec; sys.exit(not all(map(find_spec, sys.argv[1:])))'
  return spawnSync(PYTHON, ['-c', probe, ...modules], { stdio: 'ignore' }).status === 0 ? PYTHON : null
}
