// Becomes scripts/<program>.ts with the options of Node that it needs: what units and images start. The process that was
// started is the program, so signals, exit codes and limits are its own. Plain JavaScript without dependencies, and without
// bootstrap.mjs, which installs what is missing.
//
//   node scripts/run-program.mjs api
//   node scripts/run-program.mjs export --format parquet --to /srv/exports

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { nodeOptionsOf } from './stack/node-options.mjs'

const [program, ...programArguments] = process.argv.slice(2)
const script = join(import.meta.dirname, `${program}.ts`)
if (program === undefined || !existsSync(script)) {
  console.error(
    'usage: node scripts/run-program.mjs <api|indexer|graphql|export|standby-keeper|web|doctor|relayer> [arguments]',
  )
  process.exit(1)
}
process.execve(process.execPath, [process.execPath, ...nodeOptionsOf(program), script, ...programArguments])
