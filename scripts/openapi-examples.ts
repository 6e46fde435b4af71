/**
 * Records an example of every request body and every successful response of the API, and writes them where
 * `scripts/openapi.ts` and the service read them. Starts a stack of its own with the demo tasks, calls every operation
 * over HTTP with the public development keys, and stops the stack. Takes about a minute.
 *
 *   node scripts/openapi-examples.ts            keeps examples that differ only in ids, hashes and times
 *   node scripts/openapi-examples.ts --renew    replaces all examples
 */

import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApiDocument } from '../api/server/openapi/document.ts'
import { type Examples, examplesDirectory, readExamples } from '../api/server/openapi/examples.ts'
import { routes, writes } from '../api/server/routes.ts'
import { endLeftovers, endOwnProcesses } from '../ops/process/process-registry.ts'
import { controlChain } from './examples/chain-control.ts'
import { keepValues } from './examples/keep-values.ts'
import { listMissingExamples } from './examples/missing-examples.ts'
import { listOperations, type Operation } from './examples/operations.ts'
import { createRecorder } from './examples/recorder.ts'
import { openContext, type RecordingContext } from './examples/recording-context.ts'
import { recordAssignments } from './examples/recordings/assignments.ts'
import { recordDeadlines } from './examples/recordings/deadlines.ts'
import { recordPrivateTask } from './examples/recordings/private-tasks.ts'
import { recordService } from './examples/recordings/service.ts'
import { recordSubmissions } from './examples/recordings/submissions.ts'
import { recordTasks } from './examples/recordings/tasks.ts'
import { recordVaults } from './examples/recordings/vaults.ts'
import { recordWallets } from './examples/recordings/wallets.ts'
import { recordWebhooks } from './examples/recordings/webhooks.ts'
import { startExampleStack } from './examples/stack.ts'
import { seedDemo } from './seed/seed-demo.ts'
import { type Progress, startProgress } from './stack/progress.ts'
import { onStopRequest } from './stack/stop-request.ts'

onStopRequest(async () => {
  await endOwnProcesses()
  process.exit(130)
})

const progress = startProgress()
const operations = listOperations(
  openApiDocument({ routes, writes, serviceName: 'service', chainId: 8453, examples: {} }),
)
await endLeftovers()
const recordedExamples = await record(operations, progress)
const missingExamples = listMissingExamples(operations, recordedExamples)
if (missingExamples.length > 0) {
  console.error(
    `nothing is written, as these have no recording in scripts/examples/recordings:\n${missingExamples.join('\n')}`,
  )
  process.exit(1)
}
writeExamples(
  process.argv.includes('--renew') ? recordedExamples : keepValues(recordedExamples, readExamples()),
  operations,
)
progress.say('written; node scripts/openapi.ts renews docs/openapi.json')

/** Starts the stack, creates the demo tasks, records the examples, and stops the stack. */
async function record(operations: readonly Operation[], { step }: Progress): Promise<Examples> {
  const stack = await step(startExampleStack, ({ baseUrl }) => `stack ready, API on ${baseUrl}`)
  try {
    const { baseUrl, anvil, stop: _, ...others } = stack
    await step(
      () => seedDemo({ baseUrl, name: 'examples' }),
      (count) => `${count} demo tasks made`,
    )
    const chain = controlChain(anvil, others.deployment.usdc)
    const recorder = createRecorder(baseUrl, { operations, chain })
    await step(
      () => recordAll(openContext(recorder, { chain, ...others })),
      () => `${operations.length} operations recorded`,
    )
    return recorder.examples()
  } finally {
    await stack.stop()
  }
}

/**
 * Replaces the committed examples. Writes one file for each tag, with the operations in the order of the OpenAPI
 * document.
 */
function writeExamples(examples: Examples, operations: readonly Operation[]): void {
  mkdirSync(examplesDirectory, { recursive: true })
  for (const name of readdirSync(examplesDirectory)) rmSync(join(examplesDirectory, name))
  for (const tag of new Set(operations.map((operation) => operation.tag))) {
    const entries = operations.flatMap(({ id, tag: ownTag }) => {
      const operationExamples = examples[id]
      return ownTag === tag && operationExamples !== undefined ? [[id, operationExamples] as const] : []
    })
    const text = `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`
    writeFileSync(join(examplesDirectory, `${tag.replaceAll(' ', '-')}.json`), text)
  }
}

/**
 * Calls every operation once, on a stack with the demo tasks. The order of the calls is fixed, because ids and totals
 * in the answers depend on it.
 */
async function recordAll(context: RecordingContext): Promise<void> {
  await recordService(context)
  await recordTasks(context)
  await recordSubmissions(context)
  await recordAssignments(context)
  await recordWallets(context)
  await recordWebhooks(context)
  await recordPrivateTask(context)
  await recordVaults(context)
  await recordDeadlines(context)
}
