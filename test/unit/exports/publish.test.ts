import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ExportManifest } from '../../../api/exports/manifest.ts'
import { type Destination, openDirectory } from '../../../ops/export/destination.ts'
import { publish, readIndex } from '../../../ops/export/publish.ts'

let staging: string
beforeAll(() => {
  staging = mkdtempSync(join(tmpdir(), 'task-market-publish-'))
})
afterAll(() => rmSync(staging, { recursive: true, force: true }))

function inMemory(): Destination {
  const texts = new Map<string, string>()
  return {
    openStaging: async () => staging,
    put: async (path, { file }) => void texts.set(path, readFileSync(file, 'utf8')),
    read: async (path) => texts.get(path) ?? null,
  }
}

function anExport(number: number, format: ExportManifest['format']): ExportManifest {
  const block = { number, hash: `0x${'a'.repeat(64)}`, timestamp: '2026-01-01T00:00:00.000Z' }
  const createdAt = '2026-01-01T00:00:00.000Z'
  return { id: `idx-${number}-${format}`, format, block, createdAt, schemaVersion: 'idx', tables: [] }
}

test('given a format that is exported rarely, then its last export stays in the list', async () => {
  const destination = inMemory()
  const publishOne = (manifest: ExportManifest) => publish(destination, manifest, { staging, staged: [] })
  await publishOne(anExport(1, 'csv'))
  for (let block = 2; block <= 40; block += 1) await publishOne(anExport(block, 'parquet'))
  const listed = await readIndex(destination)
  expect(listed[0]?.block.number).toBe(40)
  expect(listed.filter(({ format }) => format === 'parquet')).toHaveLength(10)
  expect(listed.at(-1)?.id).toBe('idx-1-csv')
})

test('given a directory that cannot be made, then the error names what takes none', async () => {
  await expect(openDirectory('/proc/no-such/exports').openStaging()).rejects.toThrow(
    /^--to: ENOTSUP: \/proc takes no directory/,
  )
})
