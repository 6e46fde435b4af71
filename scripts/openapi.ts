import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApiDocument } from '../api/server/openapi/document.ts'
import { readExamples } from '../api/server/openapi/examples.ts'
import { routes, writes } from '../api/server/routes.ts'
import { repositoryRoot } from '../ops/process/paths.ts'

/**
 * Writes the OpenAPI description that the service serves, for readers without a running one.
 * With `--check` it writes nothing and exits with 1 when the committed file differs.
 */
const target = join(repositoryRoot, 'docs/openapi.json')
const generated = `${JSON.stringify(openApiDocument({ routes, writes, serviceName: 'service', examples: readExamples() }), null, 2)}\n`

if (!process.argv.includes('--check')) {
  writeFileSync(target, generated)
} else if (!existsSync(target) || readFileSync(target, 'utf8') !== generated) {
  console.error('docs/openapi.json differs from the routes: run node scripts/openapi.ts')
  process.exit(1)
}
