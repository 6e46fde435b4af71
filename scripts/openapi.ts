import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { servedDocument } from '../api/server/openapi/describe-routes.ts'
import { repositoryRoot } from '../ops/process/paths.ts'

/**
 * Writes the OpenAPI document of the service into a file, so that it can be read while no service runs. With `--check`
 * it writes nothing, and exits with 1 if the committed file differs.
 */
const target = join(repositoryRoot, 'docs/openapi.json')
const documentText = `${JSON.stringify(servedDocument('service', 8453), null, 2)}\n`

if (!process.argv.includes('--check')) {
  writeFileSync(target, documentText)
} else if (!existsSync(target) || readFileSync(target, 'utf8') !== documentText) {
  console.error('docs/openapi.json differs from the routes: run node scripts/openapi.ts')
  process.exit(1)
}
