import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { schemaNameOf } from '../../../ops/indexer/schema-name.ts'

const directory = mkdtempSync(join(tmpdir(), 'schema-name-'))
afterAll(() => rmSync(directory, { recursive: true }))

function nameFor(deployment: Record<string, unknown>, spacing = 0): string {
  const file = join(directory, 'deployment.json')
  writeFileSync(file, JSON.stringify(deployment, null, spacing))
  return schemaNameOf(file)
}

test('given a deployment, then the name fits into Ponder’s limit and is always the same', () => {
  const name = nameFor({ market: '0x01' })
  expect(name).toMatch(/^idx_[0-9a-f]{16}$/)
  expect(nameFor({ market: '0x01' }, 2)).toBe(name)
})

test('given other addresses, then it is another schema', () => {
  expect(nameFor({ market: '0x02' })).not.toBe(nameFor({ market: '0x01' }))
})
