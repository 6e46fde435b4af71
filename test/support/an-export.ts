import type { ListedExport } from '../../api/exports/manifest.ts'

/** An export that was published. */
export const anExport: ListedExport = {
  id: 'idx_1-7-parquet',
  format: 'parquet',
  block: { number: 7, hash: `0x${'ab'.repeat(32)}`, timestamp: '2030-01-01T00:00:00.000Z' },
  createdAt: '2030-01-01T00:10:00.000Z',
  schemaVersion: 'idx_1',
  manifest: { path: 'manifests/one.json', sha256: 'ab'.repeat(32) },
  tables: [
    {
      name: 'market.task',
      rows: 12_000,
      bytes: 1_530_000,
      files: 1,
      sha256: 'cd'.repeat(32),
      path: 'files/task.parquet',
    },
  ],
}
