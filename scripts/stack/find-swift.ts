import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** An OpenStack Swift that can be started: the S3-compatible server of the tests. */
export interface SwiftInstallation {
  /** The interpreter that has the library: the system's, whatever PATH says. */
  python: string
  /** Where its disk can be: it keeps what it knows of an object in extended attributes. */
  parentDirectory: string
}

const PYTHON = '/usr/bin/python3'

/** What brings it, on Debian and its kin; a library without services, so installing it starts nothing. */
export const SWIFT_PACKAGE = 'python3-swift'

/** Prints the first of the directories whose files take user attributes. */
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

/** Null where there is none, or no directory for it. */
export function findSwift(): SwiftInstallation | null {
  if (!existsSync(PYTHON)) return null
  const probe = spawnSync(PYTHON, ['-c', PROBE, tmpdir(), '/var/tmp', '/dev/shm'], { encoding: 'utf8' })
  const parentDirectory = probe.status === 0 ? probe.stdout : ''
  return parentDirectory === '' ? null : { python: PYTHON, parentDirectory }
}
