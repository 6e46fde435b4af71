import { expect, test } from 'vitest'
import { EXPORT_PATH } from '../../../api/exports/manifest.ts'
import { readExportSettings } from '../../../ops/export/settings.ts'

const environment = {
  EXPORTER_DATABASE_URL: 'postgres://market_exporter@standby/market',
  RPC_URL: 'https://node.example',
}
const bucket = {
  S3_ENDPOINT: 'https://s3.example',
  S3_REGION: 'eu-central-1',
  S3_ACCESS_KEY_ID: 'id',
  S3_SECRET_ACCESS_KEY: 'secret',
}

test('given a directory, or a bucket with its key, then the settings are complete', () => {
  expect(readExportSettings({ format: 'csv', to: '/srv/exports' }, environment)).toMatchObject({
    databaseUrl: environment.EXPORTER_DATABASE_URL,
    rpcUrls: ['https://node.example'],
    format: 'csv',
  })
  for (const to of ['s3://open-data', 's3://open-data/', 's3://open-data/market/daily', 's3://open-data/market/']) {
    expect(readExportSettings({ format: 'parquet', to }, { ...environment, ...bucket }).format).toBe('parquet')
  }
})

test('given nothing, then one error lists every problem', () => {
  expect(() => readExportSettings({ format: 'xlsx', to: undefined }, {})).toThrow(
    /EXPORTER_DATABASE_URL.*--format: must be parquet, csv, ndjson; --to: must be/,
  )
  expect(() => readExportSettings({ format: 'csv', to: 's3://open-data' }, environment)).toThrow('needs S3_ENDPOINT')
  expect(() => readExportSettings({ format: 'csv', to: 's3://open-data/../x' }, { ...environment, ...bucket })).toThrow(
    '--to: must be s3://',
  )
  expect(() =>
    readExportSettings({ format: 'csv', to: '/srv' }, { EXPORTER_DATABASE_URL: environment.EXPORTER_DATABASE_URL }),
  ).toThrow('RPC_URL: is needed')
})

test.each([
  ['parquet/market/idx_e1e3b6af91d62f9e/task/block=41/part-00000.parquet', true],
  ['csv/analytics/idx_e1e3b6af91d62f9e-0a1b2c3d/ledger/day=2026-11-28/part-00012.csv', true],
  ['manifests/idx_e1e3b6af91d62f9e-41-parquet.json', true],
  ['exports.json', false],
  ['manifests/../exports.json', false],
  ['manifests/.hidden.json', false],
  ['.staging/export-1/file', false],
  ['csv/market/../task/block=41/part-00000.csv', false],
  ['/etc/passwd', false],
])('given the path %s, then it is one of an export: %s', (path, isOne) => {
  expect(EXPORT_PATH.test(path)).toBe(isOne)
})
