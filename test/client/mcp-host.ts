import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import {
  type CallToolResult,
  Client,
  type ElicitResult,
  type JsonSchemaType,
  type JsonSchemaValidator,
  type jsonSchemaValidator,
  type Transport,
} from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { inject, onTestFinished } from 'vitest'
import { openClient } from '../../client/src/cli/session.ts'
import { serveMcp } from '../../client/src/mcp/serve.ts'
import { repositoryRoot } from '../../ops/process/paths.ts'
import type { Actor } from '../support/actors.ts'
import { silentIo } from '../support/client/silent-io.ts'
import { aWalletDirectory } from '../support/client/wallets.ts'
import { eras } from '../support/mcp-client.ts'

/** Compiled once for all processes of the tool: half of what each start takes. */
export const compileCache = join(repositoryRoot, 'node_modules', '.cache', 'client')

const ajv = new AjvJsonSchemaValidator()
const compiled = new Map<string, JsonSchemaValidator<unknown>>()
/** Judges the answers of all hosts by their schemas, which take a client most of a second to compile: once for all. */
const compiledOnce: jsonSchemaValidator = {
  getValidator: <T>(schema: JsonSchemaType) => {
    const text = JSON.stringify(schema)
    const validator = compiled.get(text) ?? ajv.getValidator(schema)
    compiled.set(text, validator)
    return validator as JsonSchemaValidator<T>
  },
}

/** What `preview_write` answers. */
export interface PreviewAnswer {
  decides: string
  price: string | null
  payTo: string
  needsPerson: boolean
  effects: Record<string, string>
  confirm: { arguments: Record<string, string> }
}

/** A host of models with the tools of one wallet. */
export interface McpHost {
  client: Client
  directory: string
  /** Calls a tool: its data, or the refusal of an error. */
  call(name: string, given?: object): Promise<{ isError: boolean; data: Record<string, unknown> }>
  preview(write: string, input: object): Promise<PreviewAnswer>
  confirm(preview: PreviewAnswer, changes?: object): Promise<Record<string, unknown>>
}

export interface HostOptions {
  era?: keyof typeof eras
  /** How the host's person answers; without it the host does not offer elicitation. */
  onAsk?: (message: string) => ElicitResult
  /** The wallet's configuration. */
  config?: object
  /**
   * Start the tool as a host does, as a process of its own with standard streams: a second of processor time. Otherwise
   * the same server runs in this process, and the same bytes go over streams.
   */
  ownProcess?: boolean
  /** Where a person is asked otherwise; nowhere unless given. Of a process of its own only. */
  terminal?: string
  /** Where its files are; a folder of its own unless given. */
  directory?: string
}

/** The environment by which the tool finds the stack of the test and a wallet. */
export function environmentOf({ key }: Pick<Actor, 'key'>, directory: string): Record<string, string> {
  const { baseUrl, rpcUrl, deploymentFile } = inject('conformanceStack')
  return {
    TASK_MARKET_URL: baseUrl,
    TASK_MARKET_RPC_URL: rpcUrl,
    TASK_MARKET_DEPLOYMENT: deploymentFile,
    TASK_MARKET_HOME: directory,
    TASK_MARKET_PRIVATE_KEY: key,
  }
}

/** Connects a host to the tools of a wallet; it ends with the test. */
export async function startMcpHost(
  wallet: Pick<Actor, 'key' | 'address'>,
  {
    era = 'modern',
    onAsk,
    config,
    ownProcess = false,
    terminal = 'none',
    directory = aWalletDirectory(),
  }: HostOptions = {},
): Promise<McpHost> {
  if (config !== undefined) {
    const folder = join(directory, wallet.address.toLowerCase())
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'config.json'), JSON.stringify(config))
  }
  const capabilities = onAsk === undefined ? {} : { elicitation: { form: {} } }
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { capabilities, versionNegotiation: { mode: eras[era] }, jsonSchemaValidator: compiledOnce },
  )
  if (onAsk !== undefined) client.setRequestHandler('elicitation/create', ({ params }) => onAsk(params.message))
  const env = { ...environmentOf(wallet, directory), TASK_MARKET_TTY: terminal }
  const transport = ownProcess ? startProcess(env) : await serveHere(env, era === 'modern')
  await client.connect(transport)
  onTestFinished(() => client.close())
  await client.listTools()
  const call: McpHost['call'] = async (name, given = {}) => {
    const result = await client.callTool({ name, arguments: { ...given } })
    return { isError: result.isError === true, data: dataOf(result) }
  }
  return {
    client,
    directory,
    call,
    preview: async (write, input) => {
      const { isError, data } = await call('preview_write', { write, input })
      if (isError) throw new Error(`preview of ${write} was refused: ${JSON.stringify(data)}`)
      return data as unknown as PreviewAnswer
    },
    confirm: async (preview, changes = {}) =>
      (await call('confirm_write', { ...preview.confirm.arguments, ...changes })).data,
  }
}

/** Learns the era from its one process, where the library's own class starts a second one for that. */
class OneProcessTransport extends StdioClientTransport {}

/** `task-market mcp` as a process of its own. */
function startProcess(env: Record<string, string>): Transport {
  const main = join(repositoryRoot, 'client', 'src', 'cli', 'main.ts')
  return new OneProcessTransport({
    command: process.execPath,
    args: [main, 'mcp'],
    env: { ...env, NODE_COMPILE_CACHE: compileCache },
  })
}

/**
 * The server of `task-market mcp` in this process, on a pair of streams; it ends with the test. Structured answers are
 * compared with the schemas by the client.
 */
async function serveHere(env: Record<string, string>, isStructured: boolean): Promise<Transport> {
  const [toServer, toHost] = [new PassThrough(), new PassThrough()]
  const { context } = await openClient(silentIo({ env }), {}, { needsAccount: true })
  serveMcp(context, {
    toolset: 'all',
    isStructured,
    transport: new StdioServerTransport(toServer, toHost),
    ...(env.TASK_MARKET_TTY !== undefined && { terminal: env.TASK_MARKET_TTY }),
    onError: (message) => console.error(message),
  })
  onTestFinished(() => void toServer.end())
  // Both ends of a pair of streams read and write lines in the same way.
  return new StdioServerTransport(toHost, toServer)
}

/** The data between the lines of an envelope. */
function dataOf({ content, structuredContent }: CallToolResult): Record<string, unknown> {
  const { data } = (structuredContent ?? {}) as { data?: Record<string, unknown> }
  const text = content[0]?.type === 'text' ? content[0].text : ''
  const [, json = 'null'] = /^----- data [0-9a-f]{16} -----\n(.*)$/m.exec(text) ?? []
  return data ?? JSON.parse(json)
}
