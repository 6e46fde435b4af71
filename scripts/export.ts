/**
 * `npm run export -- --format parquet|csv|ndjson --to DIR|s3://bucket/prefix`: writes every public row to files, as of
 * one block (docs/build/analytics.md, "Files"). ops/export/settings.ts lists the settings. Without settings, it exports
 * from the stack that `npm start` runs in this clone, to this stack's folder of exports. The exit code is 0 if the
 * export is published.
 */
import { parseArgs } from 'node:util'
import { openExportChain } from '../ops/export/finality.ts'
import { runExport } from '../ops/export/run-export.ts'
import { readExportSettings } from '../ops/export/settings.ts'
import { refuseStart } from '../settings/refuse-start.ts'
import { findStack } from './stack/stack-file.ts'
import { onStopRequest } from './stack/stop-request.ts'

const stopController = new AbortController()
onStopRequest((reason) => stopController.abort(new Error(`stopped (${reason})`)))
try {
  const { values } = parseArgs({
    options: { format: { type: 'string', default: 'parquet' }, to: { type: 'string' } },
  })
  const { EXPORTER_DATABASE_URL: url, EXPORTER_DATABASE_URL_FILE: file } = process.env
  const stack = url || file ? null : findStack()
  const { rpcUrls, ...settings } = readExportSettings(
    { format: values.format, to: values.to ?? stack?.exportsDirectory },
    {
      ...(stack?.exporterUrl && { EXPORTER_DATABASE_URL: stack.exporterUrl, RPC_URL: stack.urls.rpc }),
      ...process.env,
    },
  )
  const chain = await openExportChain(rpcUrls)
  await runExport({ ...settings, chain, signal: stopController.signal, log: (line) => console.log(line) })
  process.exit(0)
} catch (error) {
  refuseStart('export', error)
}
