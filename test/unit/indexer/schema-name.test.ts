import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readSources, schemaNameOf } from '../../../ops/indexer/schema-name.ts'
import { repositoryRoot } from '../../../ops/process/paths.ts'
import { copySource } from '../../support/copy-source.ts'

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

test('given what the deploy command keeps in the file for itself, then it is the same schema', () => {
  const kept = { setup: { owner: '0x03', relayers: [] }, rpcUrl: 'https://node.example' }
  expect(nameFor({ market: '0x01', ...kept })).toBe(nameFor({ market: '0x01' }))
})

test('given another generation, then it is another schema', () => {
  const file = join(directory, 'generations.json')
  writeFileSync(file, '{}')
  expect(schemaNameOf(file, { generation: 1 })).not.toBe(schemaNameOf(file))
})

test('given the source, then every rule decides the schema, and what the handlers do not use does not', () => {
  const sources = [...readSources().keys()]
  const rules = readdirSync(join(repositoryRoot, 'protocol', 'rules')).map((name) => `protocol/rules/${name}`)
  expect(sources).toEqual(expect.arrayContaining(rules))
  const unused = ['normalise.ts', 'text/fold-tag.ts', 'creation/create-task-params.ts'].map(
    (path) => `protocol/${path}`,
  )
  for (const path of [...unused, 'src/api/index.ts']) {
    expect(existsSync(join(repositoryRoot, path)), path).toBe(true)
    expect(sources).not.toContain(path)
  }
})

describe('given a copy of the source', () => {
  const root = join(directory, 'copy')
  const file = join(directory, 'of-the-copy.json')
  writeFileSync(file, '{}')
  mkdirSync(root)
  copySource(root)
  let present = schemaNameOf(file, { root })
  /** The names before and after a text is added to a file. */
  const append = (path: string, text: string) => {
    const before = present
    appendFileSync(join(root, path), text)
    present = schemaNameOf(file, { root })
    return { before, after: present }
  }
  const statement = '\nvoid 0\n'

  test('then it is the schema of the source', () => {
    expect(schemaNameOf(file, { root })).toBe(schemaNameOf(file))
  })

  const sources = ['ponder.config.ts', 'ponder.schema.ts', 'src/handlers/transfers.ts', 'src/schema/task.ts']
  test.each([...sources, 'protocol/rules/amounts.ts', 'abis/task-market.ts'])(
    'when %s changes, then it is another schema',
    (path) => {
      const { before, after } = append(path, statement)
      expect(after).not.toBe(before)
    },
  )

  test.each(sources)('when a comment of %s changes, then it is the same schema', (path) => {
    const { before, after } = append(path, '\n// A comment.\n')
    expect(after).toBe(before)
  })

  test('when the text of a column changes, then it is the same schema', () => {
    const path = join(root, 'src', 'schema', 'task.ts')
    const before = present
    const content = readFileSync(path, 'utf8')
    writeFileSync(path, content.replace('/** 32-byte task id. */', '/**\n     * The id\n     * of a task.\n     */'))
    expect(readFileSync(path, 'utf8')).not.toBe(content)
    expect(schemaNameOf(file, { root })).toBe(before)
  })
})
