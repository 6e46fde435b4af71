import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, inject, test } from 'vitest'
import { openBucket } from '../../ops/export/destination.ts'

const directory = mkdtempSync(join(tmpdir(), 'task-market-export-test-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const path = 'csv/market/idx_00000000000000aa/task/block=77/part-00000.csv'

function aFile(text: string) {
  const file = join(directory, 'file')
  writeFileSync(file, text)
  return { file, bytes: Buffer.byteLength(text), sha256: createHash('sha256').update(text).digest('hex') }
}

test('given a bucket, when files are published, then they are read as they are, and a replaced list is the new one', async () => {
  const bucket = openBucket(inject('swift').bucket, 'open-data/')
  expect(await bucket.read('exports.json')).toBeNull()
  for (const text of ['{"exports":[]}', '{"exports":[1]}']) {
    await bucket.put('exports.json', aFile(text))
    expect(await bucket.read('exports.json')).toBe(text)
  }
  await bucket.put(path, aFile('id\r\n1\r\n'))
  await bucket.put(path.replace('00000', '00001'), aFile(''))
  expect([await bucket.read(path), await bucket.read(path.replace('00000', '00001'))]).toEqual(['id\r\n1\r\n', ''])
})

test('given other bytes than were hashed, then they are refused, and nothing is published', async () => {
  const bucket = openBucket(inject('swift').bucket, 'damaged/')
  const file = { ...aFile('other bytes'), sha256: '0'.repeat(64) }
  await expect(bucket.put(path, file)).rejects.toThrow(/answered 400 to PUT damaged/)
  expect(await bucket.read(path)).toBeNull()
})
