import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repositoryRoot } from '../../ops/process/paths.ts'
import { findPython, PYTHON_PACKAGES } from '../../scripts/stack/find-python.ts'

test('the vectors are those that their rules give', () => {
  const python = findPython() ?? expect.fail(`this test needs ${PYTHON_PACKAGES.join(', ')}`)
  execFileSync(python, [join(repositoryRoot, 'protocol/vectors/compute.py'), '--check'])
})
