import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CallToolResult, Client, type ElicitResult } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { inject, onTestFinished } from 'vitest'
import { repositoryRoot } from '../../../ops/process/paths.ts'
import type { Actor } from '../actors.ts'
import { eras } from '../mcp-client.ts'
import { aWalletDirectory } from './wallets.ts'

/** Compiled once for all processes of the tool: half of what each start takes. */
const compileCache = join(repositoryRoot, 'node_modules', '.cache', 'client')

/** What `preview_write` answers. */
export interface PreviewAnswer {
  decides: string
  price: string | null
  payTo: string
  needsPerson: boolean
  effects: Record<string, string>
  confirm: { arguments: Record<string, string> }
}

/** A host of models with the tools of one wallet, in a process of its own. */
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
  /** Where a person is asked otherwise; nowhere unless given. */
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

/** Starts `task-market mcp` as a host does, and connects to it; it ends with the test. */
export async function startMcpHost(
  wallet: Pick<Actor, 'key' | 'address'>,
  { era = 'modern', onAsk, config, terminal = 'none', directory = aWalletDirectory() }: HostOptions = {},
): Promise<McpHost> {
  if (config !== undefined) {
    const folder = join(directory, wallet.address.toLowerCase())
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'config.json'), JSON.stringify(config))
  }
  const capabilities = onAsk === undefined ? {} : { elicitation: { form: {} } }
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { capabilities, versionNegotiation: { mode: eras[era] } },
  )
  if (onAsk !== undefined) client.setRequestHandler('elicitation/create', ({ params }) => onAsk(params.message))
  const main = join(repositoryRoot, 'client', 'src', 'cli', 'main.ts')
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [main, 'mcp'],
    env: { ...environmentOf(wallet, directory), TASK_MARKET_TTY: terminal, NODE_COMPILE_CACHE: compileCache },
  })
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

/** The data between the lines of an envelope. */
function dataOf({ content, structuredContent }: CallToolResult): Record<string, unknown> {
  const { data } = (structuredContent ?? {}) as { data?: Record<string, unknown> }
  const text = content[0]?.type === 'text' ? content[0].text : ''
  const [, json = 'null'] = /^----- data [0-9a-f]{16} -----\n(.*)\n----- end of data/m.exec(text) ?? []
  return data ?? JSON.parse(json)
}
