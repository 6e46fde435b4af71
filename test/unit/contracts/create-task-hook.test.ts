import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { repositoryRoot } from '../../../ops/process/paths.ts'

const folder = mkdtempSync(join(tmpdir(), 'task-market-create-'))
mkdirSync(join(folder, 'Existing'))
afterAll(() => rmSync(folder, { recursive: true }))

test.each([
  ['no name', [], '', 'Name the contract'],
  ['a path', ['../Evil'], '', 'Name the contract'],
  ['a word of Solidity', ['contract'], '', 'Name the contract'],
  ['a folder that exists', ['Existing'], '', 'Existing exists'],
  ['the name of the base of tests', ['MarketTest'], '', 'import another MarketTest'],
  ['an unknown option', ['--help'], '', 'Usage: create-task-hook NAME'],
  ['no ABI, as a compiler that failed leaves it', ['--errors'], '', 'no ABI on standard input'],
  ['an ABI that is none', ['--errors'], '{}', 'no ABI on standard input'],
])('given %s, then it writes nothing and says why in a sentence', (_what, words, input, sentence) => {
  const program = join(repositoryRoot, 'contracts', 'create-task-hook.mjs')
  const ran = spawnSync(process.execPath, [program, ...words], { cwd: folder, input, encoding: 'utf8' })
  expect(ran).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining(sentence) })
  expect(ran.stderr).not.toContain('    at ')
  expect(readdirSync(folder)).toEqual(['Existing'])
})
