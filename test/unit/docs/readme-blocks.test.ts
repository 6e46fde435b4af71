import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repositoryRoot } from '../../../ops/process/paths.ts'
import { fencedBlocks } from '../../support/docs/fenced-blocks.ts'

/**
 * Every block for a shell of every README and of the walkthrough, by its first word or words, and the file that runs its commands: as they stand, or
 * one by one; null: none runs them yet.
 */
const runners: Record<string, Record<string, string | null>> = {
  'README.md': {
    'npm start': 'test/stack/start.test.ts',
  },
  'docs/learn/first-bounty.md': {
    'npm start': 'test/stack/start.test.ts',
    'stack()': 'test/stack/first-bounty.ts',
    'pay()': 'test/stack/first-bounty.ts',
    'ANSWER=': 'test/stack/first-bounty.ts',
    'echo Agora': 'test/stack/first-bounty.ts',
    'pay /tasks': 'test/stack/first-bounty.ts',
    'consent()': 'test/stack/first-bounty.ts',
  },
  'client/README.md': {
    'npm install task-market-client viem': 'test/client/readme-walk.ts',
    'task-market task create': 'test/unit/client/equal-calls.test.ts',
    'task-market wallet bound-only': 'test/unit/client/bound-only.test.ts',
    'task-market verify': 'test/client/verify.test.ts',
  },
  'contracts/README.md': {
    'npx -p task-market-contracts': 'test/stack/contracts-package.test.ts',
    'task-market task submit': 'test/stack/contracts-package.test.ts',
  },
  'clients/python/README.md': {
    'MARKET=': 'test/python/package.test.ts',
    'export BASE_URL': null,
    'python3 first.py': null,
    'python3 "$MARKET/clients/python/examples/worker.py"': 'test/python/worker.test.ts',
    'PYTHONPATH=.': 'test/python/package.test.ts',
  },
  'deployments/README.md': {},
}

test.each(Object.entries(runners))(
  'given each block for a shell in %s, then it is known what runs it',
  (page, files) => {
    const blocks = fencedBlocks(readFileSync(join(repositoryRoot, page), 'utf8'))
    const commands = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text.split('\n', 1)[0] ?? '')
    const starts = Object.keys(files)
    expect(commands.map((command) => starts.find((start) => command.startsWith(start)) ?? command)).toEqual(starts)
    expect(Object.values(files).filter((path) => path !== null && !existsSync(join(repositoryRoot, path)))).toEqual([])
  },
)
