import { cpSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { repositoryRoot } from '../../ops/process/paths.ts'
import { runNode } from '../../scripts/stack/run-command.ts'
import { listDependencies } from '../support/packages/package-source.ts'

/** The compiler in Go takes a quarter of the time. */
const compiler = 'typescript-native'

/** A program of a user. The last call must not compile, or the types were lost. */
const consumer = `
import { createClient, type Outcome, toArtifact, type WriteAnswer } from 'task-market-client'
import { marketFetch, type PaymentClient } from 'task-market-client/fetch'
import { openKeystore } from 'task-market-client/keystore'
import { fileStore } from 'task-market-client/store'
import { verifyWebhook } from 'task-market-client/webhooks'

const url = 'https://market.example'
const account = await openKeystore('keystore.json', 'password')
const market = createClient({ url, account, store: fileStore() })
const task = { description: 'A haiku', reward: '2000000', duration: 24, tags: ['haiku'] }
const outcome: Outcome<WriteAnswer<'createTask'>> = await market.write('createTask', task)
if (outcome.kind === 'completed') console.log(outcome.answer?.taskId.toUpperCase())
for await (const { id } of market.list('/api/tasks')) console.log(id.length)
for await (const action of market.actions({ role: 'worker', tags: ['haiku'] })) {
  if (action.name === 'submit') await action.run({ artifacts: [toArtifact('haiku.txt', new Uint8Array())] })
  else if (action.name === 'bid') await action.run({ price: String(action.cost().usdc) })
  else if (action.name === 'claim' || action.name === 'auction_accept') await action.run()
  // @ts-expect-error a pitch has a text
  else if (action.name === 'pitch') await action.run()
  else console.log(action.describe(), action.task.description)
}
export async function receive(request: Request): Promise<Response> {
  const message = await verifyWebhook(request, 'whsec_c2VjcmV0')
  if (message.kind === 'test') return new Response(message.challenge)
  return new Response(message.kind === 'task.created' ? message.data.requester : message.kind)
}
export const receiveOfNode = (headers: Record<string, string | string[] | undefined>, body: Uint8Array) =>
  verifyWebhook({ headers, body }, ['whsec_c2VjcmV0'])
export const pay = (client: PaymentClient) => marketFetch(client, { url, account })
// @ts-expect-error there is no write of this name
await market.write('createTasks', task)
`

/** Adds to an installation the declarations of packages, which `servePackages` leaves out of their tarballs. */
export function addDeclarations(folder: string): void {
  const isDeclaration = (path: string) => statSync(path).isDirectory() || /[.]d[.][mc]?ts$/.test(path)
  for (const source of listDependencies(join(repositoryRoot, 'client'))) {
    // A nested package is another version of one that the declarations of the package do not reach.
    const name = relative(join(repositoryRoot, 'node_modules'), source)
    if (name.includes('node_modules')) continue
    cpSync(source, join(folder, 'node_modules', name), { recursive: true, filter: isDeclaration })
  }
}

/**
 * Compiles a program of a user and others that import the package.
 * @param others.given declares what the programs take as given
 * @returns what the compiler says
 */
export async function compileConsumer(
  folder: string,
  { given, programs }: { given: string; programs: readonly string[] },
): Promise<string> {
  const checked = { strict: true, noEmit: true, skipLibCheck: true, types: [] }
  const modules = { module: 'nodenext', moduleResolution: 'nodenext', moduleDetection: 'force' }
  // The declarations of viem need those of the DOM.
  const compilerOptions = { ...checked, ...modules, target: 'es2022', lib: ['es2023', 'dom'] }
  const files = [given, consumer, ...programs].map((program, index) => {
    writeFileSync(join(folder, `consumer-${index}.ts`), program)
    return `consumer-${index}.ts`
  })
  const project = join(folder, 'consumer.json')
  writeFileSync(project, JSON.stringify({ compilerOptions, files }))
  const path = join(repositoryRoot, 'node_modules', compiler, 'bin', 'tsc')
  const { output } = await runNode(path, ['--project', project], { name: compiler })
  return output
}
