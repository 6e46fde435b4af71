import type { Command } from 'commander'
import { type WebhookVerb, webhookText } from '../../../protocol/signed/account-texts.ts'
import { toSignedMessage } from '../../../protocol/signed/signed-text.ts'
import type { Account } from '../account/account.ts'
import type { Client } from '../create-client.ts'
import { webhookShapes } from '../http/command-shapes.ts'
import { SERVICE_NAME, sha256Hex } from '../payments/payment-text.ts'
import type { EventKind } from '../reads/events.ts'
import { confirm } from './confirm.ts'
import { dataOf } from './http-answer.ts'
import { CliError, exits, type Io } from './io.ts'
import { type Column, printRecord, printRows } from './report.ts'
import { openClient } from './session.ts'
import { type Options, whole, wideOption } from './task-writes.ts'

const PATH = '/api/webhooks'
const ONE = '/api/webhooks/{webhookId}'

const webhookColumns: Column[] = ['webhookId', 'url', 'status', 'reason', 'nextAttemptAt']
const deliveryColumns: Column[] = [
  'id',
  'kind',
  'attempt',
  'sentAt',
  'status',
  { field: 'latencyMs', as: 'ms' },
  'error',
]

/**
 * The wallet's account, the API client and the options of the command. The wallet owns the webhooks and signs each
 * change of a webhook.
 */
interface Owner {
  client: Client
  account: Account
  options: Options
}

/**
 * Adds `webhooks ...`, the commands for URLs to which the service posts entries of the log of changes. See
 * docs/build/webhooks.md.
 */
export function addWebhookCommands(program: Command, io: Io): void {
  const webhooks = program.command('webhooks').description('URLs that get what happens')
  const open = async (self: Command): Promise<Owner> => {
    const options = self.optsWithGlobals()
    const client = await openClient(io, options, { needsAccount: true })
    const { account } = client.context
    if (account === null) throw new CliError('There is no wallet.', exits.usage)
    return { client, account, options }
  }
  const show = (
    { client, options }: Owner,
    answer: Parameters<typeof dataOf>[0],
    of: keyof typeof webhookShapes,
  ): void => {
    const url = `${client.context.url}${PATH}`
    const data = dataOf(answer, { url, shape: webhookShapes[of], refused: 'The webhook was refused:' })
    printRecord(io, data, { json: options.json })
  }

  webhooks
    .command('create <url>')
    .description('have entries posted to a URL, which must answer a test; the secret is shown once')
    .option('--kind <kinds...>', 'only these, such as task.created')
    .option('--task <taskId>', 'of this task, instead of what concerns the wallet')
    .option('--mode <mode>', 'of tasks of this mode')
    .option('--tag <tags...>', 'of tasks with all of these tags')
    .option('--words <words>', 'of tasks that these words find')
    .option('--min-reward <units>', 'of tasks that pay at least so much, USDC base units')
    .action(async (url: string, _: Options, self: Command) => {
      const owner = await open(self)
      const { kind, task, mode, tag, words, minReward } = owner.options
      const filters = {
        ...(task !== undefined && { taskId: task as string }),
        ...(mode !== undefined && { mode }),
        ...(tag !== undefined && { tag: tag as string[] }),
        ...(words !== undefined && { q: words as string }),
        ...(minReward !== undefined && { minReward: minReward as string }),
      }
      const body = {
        address: owner.account.address,
        url,
        ...(kind !== undefined && { kinds: kind as EventKind[] }),
        ...(Object.keys(filters).length > 0 && { filters }),
        ...(await sign(owner, 'create', await sha256Hex(url))),
      }
      show(owner, await owner.client.http.POST(PATH, { body: body as never }), 'created')
    })
  webhooks
    .command('list')
    .description('those of the wallet')
    .addOption(wideOption())
    .action(async (_: Options, self: Command) => {
      const { client, account, options } = await open(self)
      const answer = await client.http.GET(PATH, { params: { query: { address: account.address } } })
      const about = { url: `${client.context.url}${PATH}`, shape: webhookShapes.list, refused: 'They cannot be read:' }
      await printAll(dataOf(answer, about).webhooks, { options, columns: webhookColumns })
    })
  webhooks
    .command('deliveries <webhookId>')
    .description('the last attempts, the newest first')
    .option('--limit <count>', 'at most so many', whole, 50)
    .addOption(wideOption())
    .action(async (webhookId: string, _: Options, self: Command) => {
      const { client, options } = await open(self)
      const answer = await client.http.GET(`${ONE}/deliveries`, { params: { path: { webhookId } } })
      const url = `${client.context.url}${PATH}/${webhookId}/deliveries`
      const about = { url, shape: webhookShapes.deliveries, refused: 'They cannot be read:' }
      await printAll(dataOf(answer, about).deliveries, { options, columns: deliveryColumns })
    })
  webhooks
    .command('test <webhookId>')
    .description('have a test posted now')
    .action(async (webhookId: string, _: Options, self: Command) => {
      const owner = await open(self)
      const request = { params: { path: { webhookId } }, body: await sign(owner, 'test', webhookId) }
      show(owner, await owner.client.http.POST(`${ONE}/test`, request), 'tested')
    })
  webhooks
    .command('rotate <webhookId>')
    .description('get a new secret; the one before it signs beside it for a day')
    .action(async (webhookId: string, _: Options, self: Command) => {
      const owner = await open(self)
      const request = { params: { path: { webhookId } }, body: await sign(owner, 'rotate', webhookId) }
      show(owner, await owner.client.http.POST(`${ONE}/rotate`, request), 'created')
    })
  webhooks
    .command('resume <webhookId>')
    .description('go on with one that is paused')
    .action(async (webhookId: string, _: Options, self: Command) => {
      const owner = await open(self)
      const request = { params: { path: { webhookId } }, body: await sign(owner, 'resume', webhookId) }
      show(owner, await owner.client.http.POST(`${ONE}/resume`, request), 'changed')
    })
  webhooks
    .command('replay <webhookId>')
    .description('have entries posted again')
    .requiredOption('--after <id>', 'those behind this one')
    .action(async (webhookId: string, _: Options, self: Command) => {
      const owner = await open(self)
      const body = { after: owner.options.after as string, ...(await sign(owner, 'replay', webhookId)) }
      show(owner, await owner.client.http.POST(`${ONE}/replay`, { params: { path: { webhookId } }, body }), 'changed')
    })
  webhooks
    .command('delete <webhookId>')
    .description('end it')
    .action(async (webhookId: string, _: Options, self: Command) => {
      const owner = await open(self)
      await confirm(io, owner.options, 'Its URL gets no entries any more.')
      const request = { params: { path: { webhookId } }, body: await sign(owner, 'delete', webhookId) }
      show(owner, await owner.client.http.DELETE(ONE, request), 'deleted')
    })

  async function printAll(
    rows: readonly unknown[],
    { options, columns }: { options: Options; columns: Column[] },
  ): Promise<void> {
    const { json, wide, limit = rows.length } = options
    await printRows(io, toIterable(rows), { json, wide, limit, columns })
  }
}

async function* toIterable(rows: readonly unknown[]): AsyncGenerator<unknown> {
  yield* rows
}

/**
 * Signs a change of a webhook, and returns the signature with the time of signing.
 * @param subject the SHA-256 hash of the webhook's URL when the webhook is created, else the webhook's id
 */
async function sign({ client, account }: Owner, verb: WebhookVerb, subject: string) {
  const { url, deployment, now } = client.context
  const timestamp = await now()
  const place = { chainId: deployment.chainId, host: new URL(url).host }
  const text = webhookText(place, { verb, wallet: account.address, subject, timestamp })
  return { timestamp, signature: await account.signMessage({ message: toSignedMessage(SERVICE_NAME, text) }) }
}
