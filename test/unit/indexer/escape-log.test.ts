import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { escapeHidden } from '../../../api/text/escape-hidden.ts'
import { repositoryRoot } from '../../../ops/process/paths.ts'

const logger = join(repositoryRoot, 'node_modules', 'ponder', 'dist', 'esm', 'internal', 'logger.js')
const preload = join(repositoryRoot, 'ops', 'indexer', 'escape-log.ts')
const hostile = 'Title\u001b[31m\u009b31m\u202etxt.exe\u2066\u007f'

/** The output of Ponder's own logger for an error whose event says `hostile`, or of a node, with the preload. */
function logLine(nodeUrl = ''): string {
  const program = `
    const { createLogger } = await import(${JSON.stringify(logger)})
    const url = process.env.NODE_URL
    const error = url ? new (await import('viem')).HttpRequestError({ url }) : Object.assign(new Error('no task'), { meta: 'Event arguments: ' + process.env.HOSTILE })
    createLogger({ level: 'warn', mode: 'json' }).error({ msg: 'Error while processing', error })`
  const { stdout, status } = spawnSync(
    process.execPath,
    ['--import', preload, '--input-type=module', '--eval', program],
    { encoding: 'utf8', env: { ...process.env, HOSTILE: hostile, NODE_URL: nodeUrl } },
  )
  expect(status).toBe(0)
  return stdout
}

test('given an event with terminal controls in a text, when Ponder logs it, then it is escaped and keeps its value', () => {
  const line = logLine()
  expect(escapeHidden(line)).toBe(line)
  expect(JSON.parse(line).error.meta).toBe(`Event arguments: ${hostile}`)
})

test('given a node that fails, when Ponder logs it, then its host is in the line, and neither password nor key', () => {
  const nodeUrl = 'https://user:password@node.example/v2/key-of-the-operator'
  const line = logLine(nodeUrl)
  expect(line).toContain('https://node.example')
  expect(line).not.toMatch(/password|key-of-the-operator/)
})
