import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../ops/process/paths.ts'

/**
 * Refuses doc blocks that begin with a relative word, such as "Whether". A block must begin with a verb ("Returns"), or
 * with the noun that it documents ("The relayer's next nonce").
 */
const folders = [
  'api',
  'client/src',
  'contracts/examples',
  'contracts/hooks',
  'contracts/src',
  'graphql',
  'mcp',
  'metrics',
  'ops',
  'protocol',
  'scripts',
  'settings',
  'src',
  'web',
]

const first = 'What|Whether|Of|The same|None|So|Which|Who|That|When|Where|How|For|If'
const block = new RegExp(`^[ \\t]*(?:/[*][*](?:\\n[ \\t]*[*])?|/// @(?:notice|dev|title)) (?:${first})\\b.*`, 'gm')

const paths = globSync(`{${folders}}/**/*.{ts,sol}`, { cwd: repositoryRoot })
for (const path of paths) {
  const text = readFileSync(join(repositoryRoot, path), 'utf8')
  for (const { 0: begin, index } of text.matchAll(block)) {
    const line = text.slice(0, index).split('\n').length
    console.error(`${path}:${line}: begin with a verb or with the noun: ${begin.replace(/[\s/*]+/g, ' ').trim()}`)
    process.exitCode = 1
  }
}
