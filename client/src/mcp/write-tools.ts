import type { Tool } from '@modelcontextprotocol/server'
import { envelopeSchema } from '../../../mcp/envelope.ts'
import { catalogue } from './catalogue.ts'

const names = catalogue.writes.map(({ name }) => name)
const amount = (description: string) => ({ type: 'string', pattern: '^[0-9]+$', description })
const write = { type: 'string', enum: names, description: 'Operation id of the write.' }
const token = { type: 'string', maxLength: 100 }
const readHints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true }
const writeHints = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true }
const anything = { type: 'object' }

/** The tools with which a model makes writes: list actions, and describe, preview, confirm and continue a write. */
export const writeTools: readonly Tool[] = [
  {
    name: 'list_actions',
    title: 'What this wallet can do now',
    description:
      'The actions that tasks offer this wallet now, each with the request for preview_write. `missing` names the ' +
      'arguments that you add. With taskId: those of one task.',
    inputSchema: {
      type: 'object',
      properties: { taskId: { type: 'string', pattern: '^0x[0-9a-fA-F]{64}$' } },
      additionalProperties: false,
    },
    outputSchema: envelopeSchema({
      type: 'object',
      properties: { actions: { type: 'array', items: anything } },
      required: ['actions'],
    }),
    annotations: readHints,
  },
  {
    name: 'describe_write',
    title: 'The arguments of a write',
    description:
      'The JSON Schema of the `input` that preview_write takes for a write. Amounts are base units: 1000000 is 1 USDC.',
    inputSchema: { type: 'object', properties: { write }, required: ['write'], additionalProperties: false },
    outputSchema: envelopeSchema(anything),
    annotations: readHints,
  },
  {
    name: 'preview_write',
    title: 'What a write would cost and decide',
    description:
      'Checks the arguments, makes the dry run and the check of the limits, and moves nothing. Answers price, payee, ' +
      'what the write decides, and the arguments of confirm_write: its token works once, within 60 seconds.',
    inputSchema: {
      type: 'object',
      properties: {
        write,
        input: { type: 'object', description: 'By the schema of describe_write.' },
        again: {
          type: 'boolean',
          description:
            'Makes a second write where an equal one is open. Without it the confirmation joins that one: its outcome ' +
            'has joined: true, and it is paid once.',
        },
        long: { type: 'boolean', description: 'A task that stays open for more than a year is meant.' },
      },
      required: ['write', 'input'],
      additionalProperties: false,
    },
    outputSchema: envelopeSchema({
      type: 'object',
      properties: {
        write,
        summary: { type: 'string' },
        price: { anyOf: [amount('Base units.'), { type: 'null' }], description: 'Null: said only when it is sent.' },
        payTo: { type: 'string' },
        decides: amount('Everything it decides, its price included.'),
        effects: anything,
        needsPerson: { type: 'boolean', description: 'A person is asked when it is confirmed.' },
        isActSimulated: { type: 'boolean', description: 'A node has simulated it, and it would be done.' },
        isOffered: { type: ['boolean', 'null'], description: 'The task offers it now; null: it is about no task.' },
        submissions: {
          type: 'array',
          items: anything,
          description: 'Those that the write is about, of each worker that it names the newest.',
        },
        rowVersion: { type: ['string', 'null'] },
        requestHash: { type: 'string' },
        expiresAt: { type: 'string', format: 'date-time' },
        confirm: anything,
      },
      required: ['write', 'price', 'payTo', 'decides', 'effects', 'needsPerson', 'requestHash', 'expiresAt', 'confirm'],
    }),
    annotations: readHints,
  },
  {
    name: 'confirm_write',
    title: 'Make a previewed write',
    description:
      'Makes the write of a preview, with exactly its arguments. Above the threshold of the wallet, and for ' +
      'withdrawals always, a person is asked first. It is refused when price, payee or task have changed.',
    inputSchema: {
      type: 'object',
      properties: { write, token, requestHash: { type: 'string', maxLength: 100 }, decides: amount('As previewed.') },
      required: ['write', 'token', 'requestHash', 'decides'],
      additionalProperties: false,
    },
    outputSchema: envelopeSchema({ type: 'object', properties: { kind: { type: 'string' } }, required: ['kind'] }),
    annotations: writeHints,
  },
  {
    name: 'continue_write',
    title: 'See an open write through',
    description:
      'For a write that ended as inFlight or unknown: looks at its outcome, and sends the same request under the same ' +
      'key where the service has none. It never makes a second one. A write from before this server was started is ' +
      'looked up alone; preview and confirm its arguments again to send it again, under its key.',
    inputSchema: {
      type: 'object',
      properties: { key: { type: 'string', format: 'uuid' } },
      required: ['key'],
      additionalProperties: false,
    },
    outputSchema: envelopeSchema({ type: 'object', properties: { kind: { type: 'string' } }, required: ['kind'] }),
    annotations: { ...writeHints, idempotentHint: true },
  },
]
