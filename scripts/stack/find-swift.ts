import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** An installed OpenStack Swift. Tests use it as an S3-compatible server. */
export interface SwiftInstallation {
  /** Path of the system's Python interpreter, which has Swift's library. It does not depend on PATH. */
  python: string
  /**
   * Directory for Swift's data. Its file system must support extended attributes, in which Swift stores facts about an
   * object.
   */
  parentDirectory: string
}

const PYTHON = '/usr/bin/python3'

/**
 * Name of Swift's package on Debian and its derivatives. The package is a library without services, so its installation
 * starts nothing.
 */
export const SWIFT_PACKAGE = 'python3-swift'

/** A Python program that prints the first of the directories whose file system supports extended attributes. */
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

/** Finds Swift. Null if it is not installed, or if there is no suitable directory for its data. */
export function findSwift(): SwiftInstallation | null {
  if (!existsSync(PYTHON)) return null
  const probe = spawnSync(PYTHON, ['-c', PROBE, tmpdir(), '/var/tmp', '/dev/shm'], { encoding: 'utf8' })
  const parentDirectory = probe.status === 0 ? probe.stdout : ''
  return parentDirectory === '' ? null : { python: PYTHON, parentDirectory }
}
