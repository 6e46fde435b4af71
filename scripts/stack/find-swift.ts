import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** An installed OpenStack Swift: the S3-compatible server of the tests. */
export interface SwiftInstallation {
  /** Path of the interpreter with the library: the system's, for any PATH. */
  python: string
  /** Directory for its disk. It stores facts of an object in extended attributes. */
  parentDirectory: string
}

const PYTHON = '/usr/bin/python3'

/**
 * Packages with the server, on Debian and derivatives. They are a library without services, so installing them starts nothing.
 */
export const SWIFT_PACKAGE = 'python3-swift'

/** Program that prints the first of the directories whose files support user attributes. */
const PROBE = `
import os, sys, tempfile
import swift.common.middleware.s3api
for directory in sys.argv[1:]:
    try:
        with tempfile.TemporaryFile(dir=directory) as file:
            os.setxattr(file.fileno(), 'user.swift.metadata', b'x')
        print(directory, end='')
        break
    except OSError:
        pass
`

/** Finds Swift; null: there is none, or no directory for it. */
export function findSwift(): SwiftInstallation | null {
  if (!existsSync(PYTHON)) return null
  const probe = spawnSync(PYTHON, ['-c', PROBE, tmpdir(), '/var/tmp', '/dev/shm'], { encoding: 'utf8' })
  const parentDirectory = probe.status === 0 ? probe.stdout : ''
  return parentDirectory === '' ? null : { python: PYTHON, parentDirectory }
}
