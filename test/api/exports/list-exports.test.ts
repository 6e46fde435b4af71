import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { INDEX_PATH } from '../../../api/exports/manifest.ts'
import { openPublishedExports, warnOfDirectory } from '../../../api/exports/published-exports.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { captureLog } from '../../support/captured-log.ts'
import { createCleanups } from '../../support/cleanups.ts'

const csv = 'id,reward\r\n1,79228162514264337593543950335\r\n'
const filePath = 'csv/market/idx_00000000000000aa/task/block=77/part-00000.csv'
const manifestPath = 'manifests/idx_00000000000000aa-77-csv.json'
const sha256 = createHash('sha256').update(csv).digest('hex')
const published = {
  id: 'idx_00000000000000aa-77-csv',
  format: 'csv',
  block: { number: 77, hash: `0x${'ab'.repeat(32)}`, timestamp: '2026-11-28T00:00:00.000Z' },
  createdAt: '2026-11-28T00:20:00.000Z',
  schemaVersion: 'idx_00000000000000aa',
}
const table = { name: 'market.task', rows: 1, bytes: csv.length, files: 1, sha256 }
const index = {
  exports: [{ ...published, manifest: { path: manifestPath, sha256 }, tables: [{ ...table, path: filePath }] }],
}

const cleanups = createCleanups()
let api: TestApi
beforeAll(async () => {
  const directory = mkdtempSync(join(tmpdir(), 'task-market-exports-'))
  cleanups.defer(() => rmSync(directory, { recursive: true, force: true }))
  for (const [path, text] of [
    [INDEX_PATH, JSON.stringify(index)],
    [filePath, csv],
    ['.staging/secret.csv', 'secret'],
    ['manifests/.secret.json', 'secret'],
  ] as const) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), text)
  }
  api = await startTestApi({ EXPORTS_DIR: directory })
  cleanups.defer(api.stop)
})
afterAll(() => cleanups.run())

describe('given exports in a directory', () => {
  const base = 'http://127.0.0.1:3000/api/exports'

  test('when they are listed, then each has its manifest, and each table its file', async () => {
    const { status, body } = await api.get('/api/exports')
    expect(status).toBe(200)
    expect(body).toEqual({
      exports: [
        { ...published, manifestUrl: `${base}/${manifestPath}`, tables: [{ ...table, url: `${base}/${filePath}` }] },
      ],
    })
  })

  test('when metrics are scraped, then the age of the newest is there', async () => {
    const [, seconds] = /^taskmarket_export_age_seconds (.+)$/m.exec(await api.deps.observe.scrape()) ?? []
    expect(Number(seconds)).toBeCloseTo((Date.now() - Date.parse(published.createdAt)) / 1000, -2)
  })

  test('when a file is read, then it comes whole, in parts, or not again', async () => {
    const read = (headers: Record<string, string> = {}, method = 'GET') =>
      api.app.request(`/api/exports/${filePath}`, { method, headers })
    const whole = await read()
    expect([whole.status, whole.headers.get('content-type'), await whole.text()]).toEqual([
      200,
      'text/csv; charset=utf-8',
      csv,
    ])
    const part = await read({ Range: 'bytes=0-1' })
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
      206,
      `bytes 0-1/${csv.length}`,
      'id',
    ])
    const head = await read({}, 'HEAD')
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(csv.length)])
    expect((await read({ 'If-None-Match': whole.headers.get('etag') ?? '' })).status).toBe(304)
  })

  test.each([
    INDEX_PATH,
    '.staging/secret.csv',
    'manifests/.secret.json',
    'manifests/none.json',
    'csv/market/../../.staging/secret.csv',
    'csv/market/..%2F..%2F.staging%2Fsecret.csv',
    '..%2F..%2Fetc%2Fpasswd',
    'csv/market/idx/task/block=77/part-00000.csv%00',
  ])('when the path is %s, then there is no such file', async (path) => {
    expect((await api.get(`/api/exports/${path}`)).status).toBe(404)
  })
})

describe('given other places', () => {
  test('when none is set, then the list is empty', async () => {
    const none = openPublishedExports({ directory: undefined, url: undefined, publicBaseUrl: '' })
    expect([await none.list(), await none.open(filePath)]).toEqual([[], null])
  })

  test('when none is published, then their age is that of the process; when no place is set, then there is none', async () => {
    const open = (directory?: string) => openPublishedExports({ directory, url: undefined, publicBaseUrl: '' })
    expect(await open().age()).toBeNull()
    expect(await open('/srv/exprots').age()).toBeLessThan(60)
  })

  test('when the folder is not there, then one line names the setting and the path, and the list is empty', async () => {
    const log = captureLog()
    const directory = '/srv/exprots'
    await warnOfDirectory(directory, pino({}, log))
    expect(log.lines()).toEqual([
      expect.objectContaining({ level: 40, setting: 'EXPORTS_DIR', directory, code: 'ENOENT' }),
    ])
    expect(await openPublishedExports({ directory, url: undefined, publicBaseUrl: '' }).list()).toEqual([])
    log.clear()
    await warnOfDirectory(tmpdir(), pino({}, log))
    await warnOfDirectory(undefined, pino({}, log))
    expect(log.lines()).toEqual([])
  })

  test('when they are in a bucket, then its list is read, and again a failure later', async () => {
    const answers: [number, string][] = [
      [500, ''],
      [200, JSON.stringify(index)],
    ]
    const server = createServer((_, response) => {
      const [status, text] = answers.shift() ?? [404, '']
      response.writeHead(status).end(text)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    cleanups.defer(async () => {
      await server[Symbol.asyncDispose]()
    })
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/market`
    const bucket = openPublishedExports({ directory: undefined, url, publicBaseUrl: '' })
    await expect(bucket.list()).rejects.toThrow('exports.json of EXPORTS_URL answered 500')
    expect((await bucket.list()).map(({ id }) => id)).toEqual([published.id])
    expect((await bucket.list()).length).toBe(1)
    expect(bucket.urlOf(filePath)).toBe(`${url}/${filePath}`)
  })
})
