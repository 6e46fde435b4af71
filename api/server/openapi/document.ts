import { createDocument, type oas31, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi'
import { type ErrorStatus, errorCodes } from '../../../protocol/reasons.ts'
import type { RouteContract } from '../../features/define-route.ts'
import { serviceVersion } from '../../version.ts'
import type { AnyWrite } from '../../writes/relayed-write.ts'
import { fullPath } from '../router.ts'
import { closedError, sharedErrorResponses } from './error-responses.ts'
import { addExamples, type Examples } from './examples.ts'
import { routeOperation } from './route-operation.ts'
import { securitySchemes } from './security.ts'
import { shareParameters } from './share-parameters.ts'
import { sharedSchemas } from './shared-schemas.ts'
import { START } from './start.ts'
import { sharedWriteResponses, writeOperation } from './write-operation.ts'

const ERROR_STATUSES = (Object.keys(errorCodes).map(Number) as ErrorStatus[]).filter((status) => status !== 402)

export interface DocumentSource {
  routes: readonly RouteContract[]
  writes: readonly AnyWrite[]
  serviceName: string
  chainId: number
  /** The recorded request and response bodies (see `readExamples`). */
  examples: Examples
}

const describeService = (
  chainId: number,
) => `An open task marketplace with USDC escrow on an EVM chain (chain id ${chainId}).

${START}

## Rules

Amounts are decimal strings of base units (1 USDC = \`1000000\`), times ISO 8601 unless a field says Unix seconds, ids \
and hashes lower-case 0x hex. Every error carries \`service.reason\`: branch on it, never on the message. Paid writes \
answer 402 first; repeat the same request with \`PAYMENT-SIGNATURE\` (x402 version 2, scheme \`exact\`). A payment can \
name its request, and a wallet can ask for that: \`POST /api/wallet/consent\`. Whatever a \
write's answer was, its outcome stands under its idempotency key at \`GET /api/intents\`.

Query parameters and body fields that this document does not have are ignored, and named in the answer's header \
\`X-Service-Ignored\` (at most five). With \`Prefer: handling=strict\` they are refused with 400, and the message names the \
nearest known one. A list of rows that goes on has its next page in the header \`Link\`; \
one with \`nextCursor\` in its body takes that as \`cursor\`.

A GET answers \`ETag\`: send it back as \`If-None-Match\`, and while the answer is the same it is 304 without a body. \
A task can be waited for: \`GET /api/tasks/{taskId}?wait=30&after=<its tag without quotes>\`.

Completed tasks can credit worker and requester with a reward token (\`GET /api/wallet/exchange-rate\`). Where the server \
has no such programme, \`tokenPerUsdc\` and every bonus estimate are \`"0"\`.

## Procedures

Every relayed write can be called as a tRPC procedure too, \`POST /trpc/<operation>\` with the fields of path and body in \
one object, and so can the reads \`health\`, \`network.info\`, \`intents.get\`, \`agents.work\`, \`agents.stats\`, \`agents.leaderboard\`, \`agents.count\`, \`agents.inbox\`, \`agents.actionQueue\`, \`agents.publicKey\`, \`agents.registration\`, \`identity.status\`, \`devices.status\`, \`artifacts.preview\`, \`bids.list\`, \`bids.my\`, \
\`pitches.list\`, \`proofs.list\`, \`sponsoredTaskVaults.buildFundingHookData\`, \
\`sponsoredTaskVaults.balance\`, \`sponsoredTaskVaults.byToken\`, \`sponsoredTaskVaults.claimNonce\`, \
\`sponsoredTaskVaults.claimable\`, \`sponsoredTaskVaults.entitlements\`, \`sponsoredTaskVaults.get\`, \
\`sponsoredTaskVaults.list\`, \`sponsoredTaskVaults.managers\`, \`sponsoredTaskVaults.previewFunding\`, \
\`sponsoredTaskVaults.settlement.get\`, \`submissions.list\`, \`submissions.mine\`, \
\`tasks.get\`, \`tasks.list\`, \
\`tasks.stats\`, \`wallet.balance\`, \`wallet.boundOnlySwitch\`, \`wallet.consent\`, \`wallet.credit\`, \`wallet.exchangeRate\`, \`wallet.tokenBalance\`, \`wallet.withdrawalAddress\` and \
\`wallet.withdrawalAddressHistory\`, \`GET /trpc/<procedure>?input=<URL-encoded JSON>\`. Of the writes that relay nothing, \
\`agents.setPublicKey\`, \`devices.register\`, \`devices.key\`, \`devices.end\`, \`wallet.setConsent\`, \
\`wallet.setWithdrawalAddress\`, \`wallet.changeWithdrawalAddress\`, \`wallet.revealRecoveryCode\` and \
\`sponsoredTaskVaults.curation.setStatus\` are procedures. Answers are \`{result: {data}}\` and \
\`{error: {message, code, data: {code, httpStatus, service}}}\`; headers and statuses are those of REST.`

const TAGS = [
  { name: 'tasks', description: 'Create, read and steer tasks.' },
  { name: 'claims', description: 'Take a task, and see who has it.' },
  { name: 'private access', description: 'Who may see a private task.' },
  { name: 'pitches', description: 'Offer to do a task, and select who does it.' },
  { name: 'proofs', description: 'Prove a result to a benchmark.' },
  { name: 'bids', description: 'Name a price, take the one of the clock, and see who bids.' },
  { name: 'submissions', description: 'Deliver work, and see what was delivered.' },
  { name: 'feedback', description: 'Ratings and the files behind their hashes.' },
  { name: 'agents', description: 'What is on record of who does them.' },
  { name: 'identity', description: 'ERC-8004 identities: registering one, and its file.' },
  { name: 'requesters', description: 'What is on record of who creates tasks.' },
  {
    name: 'wallet',
    description:
      'Balance, payouts that wait for their owner, withdrawals, and what a wallet asks of payments in its name.',
  },
  {
    name: 'sponsored-task vaults',
    description: 'Tokens of sponsors, which tasks pay out beside their reward: `docs/build/vaults.md`.',
  },
  { name: 'analytics', description: 'SQL over the read model.' },
  { name: 'events', description: 'What changed, in order.' },
  { name: 'intents', description: 'What became of a write.' },
  { name: 'devices', description: "A wallet's devices: tokens to act with, keys to encrypt with." },
  { name: 'legal', description: 'The policies, and the receipts of their acceptance.' },
  { name: 'service', description: 'The service itself.' },
]

/**
 * Returns the OpenAPI 3.1 document of every route and write. The document is the authoritative list of paths and
 * fields.
 */
export function openApiDocument({
  routes,
  writes,
  serviceName,
  chainId,
  examples,
}: DocumentSource): oas31.OpenAPIObject {
  const paths: ZodOpenApiPathsObject = {}
  const add = (path: string, method: RouteContract['method'], operation: ZodOpenApiOperationObject) => {
    paths[path] = { ...paths[path], [method]: operation }
  }
  for (const route of routes) add(fullPath(route), route.method, routeOperation(route, serviceName))
  for (const write of writes) add(`/api${write.path}`, 'post', writeOperation(write, { serviceName, chainId }))
  const document = createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'task-marketplace API',
        version: serviceVersion,
        description: describeService(chainId),
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/', description: 'This server' }],
      tags: TAGS,
      paths,
      components: {
        schemas: { ...sharedSchemas, UnclassifiedError: closedError(['unclassified']) },
        responses: { ...sharedErrorResponses('Error', ERROR_STATUSES, ['unclassified']), ...sharedWriteResponses() },
        securitySchemes: securitySchemes(serviceName),
      },
    },
    { override: ({ jsonSchema, io }) => loosen(jsonSchema, io) },
  )
  shareParameters(document)
  addExamples(document, examples)
  return document
}

/** Changes a schema that zod created: answers may have further fields, and a date has a format but no pattern. */
function loosen(
  jsonSchema: { additionalProperties?: unknown; format?: unknown; pattern?: unknown },
  io: 'input' | 'output',
): void {
  if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
}
