import { z } from 'zod'
import { callTailOf } from '../../protocol/bound-call.ts'
import { catalogue } from '../../protocol/catalogue.ts'
import type { OperationName } from '../../protocol/derive.ts'
import type { GasAllowance } from '../../protocol/listing.ts'
import type {
  AnyEntry,
  ChoiceName,
  FactName,
  FactsOf,
  InputOf,
  OwnerSignedForm,
  Price,
  RequestOf,
  SignedForm,
} from '../../protocol/operation.ts'
import type { ContractCall, EntryMode, SubmittedKind } from '../../protocol/relay.ts'
import { taskText } from '../../protocol/signed/task-texts.ts'
import { bytes32Text } from '../http/request-schemas.ts'
import type { CallMaker, EntryWrite, SubmittedEntryWrite } from './entry-write.ts'
import { toFactHints } from './fact-hints.ts'
import type { AnyWrite, PreparedCall, TextSignature } from './relayed-write.ts'
import { type Fields, fieldsOf, normaliseRequest } from './request-fields.ts'
import { type EntryContext, toSubmittedWrite } from './submitted-write.ts'
import type { WriteDeps } from './write-deps.ts'

/**
 * A protocol entry whose call the forwarder makes. The types of `name` and `modes` determine the types of the entry's
 * write.
 */
interface ForwardedEntry extends AnyEntry {
  name: OperationName
  modes: readonly EntryMode[]
}

/**
 * A protocol entry whose call contains the signature of the owner of the assets. Any account may submit the call
 * without the forwarder.
 */
interface SubmittedEntry extends AnyEntry {
  name: OperationName
  kind: SubmittedKind
}

/**
 * The type of an entry's request body: all fields that are not in the path. Fields that the service can choose are
 * optional.
 */
type BodyOf<E extends AnyEntry> = Omit<RequestOf<E>, 'taskId' | 'vaultId' | ChoiceName> & {
  [Name in ChoiceName & keyof RequestOf<E>]?: RequestOf<E>[Name] | undefined
}

/**
 * Defines the write of a protocol entry. The functions of `service` receive the request after the entry's `normalise`
 * has changed it.
 *
 * Example: `defineWrite(cancelTask, { response, load, facts: {}, preflight, result })`.
 */
export function defineWrite<const E extends ForwardedEntry, Subject>(
  entry: E,
  service: EntryWrite<BodyOf<E>, InputOf<E>, FactsOf<E>, Subject>,
): AnyWrite
export function defineWrite<const E extends SubmittedEntry, Subject>(
  entry: E,
  service: SubmittedEntryWrite<BodyOf<E>, InputOf<E>, FactsOf<E>, Subject>,
): AnyWrite
export function defineWrite(entry: ForwardedEntry | SubmittedEntry, service: unknown): AnyWrite {
  // The pipeline passes each function only results of the same write's functions, so their types can end here.
  if ('modes' in entry) return writeOf(entry as unknown as UntypedEntry, service as UntypedWrite)
  return submittedWriteOf(entry as unknown as UntypedSubmittedEntry, service as UntypedSubmittedWrite)
}

type UntypedWrite = EntryWrite<Fields, Fields, Fields, unknown>
interface UntypedEntry {
  name: OperationName
  operationId: string
  path: string
  bodyless?: true
  legalExempt?: true
  modes: readonly EntryMode[]
  signed?: SignedForm<Fields, Fields>
  facts: readonly FactName[]
  choices?: readonly ChoiceName[]
  boundFields?: readonly string[]
  normalise: (request: Fields) => Fields
  price: Price<Fields, Fields>
  call: (input: Fields, context: EntryContext) => ContractCall
}
interface UntypedListing {
  allowance?: (input: Fields, facts: Fields) => GasAllowance
}
type UntypedSubmittedWrite = SubmittedEntryWrite<Fields, Fields, Fields, unknown>
interface UntypedSubmittedEntry extends Omit<UntypedEntry, 'modes' | 'signed'> {
  ownerSigned: OwnerSignedForm<Fields, EntryContext>
}

function submittedWriteOf({ ownerSigned, ...entry }: UntypedSubmittedEntry, service: UntypedSubmittedWrite): AnyWrite {
  const { complete, amount, ...commonParts } = service
  const factsOf = (subject: unknown, input: Fields) => readFacts(service.facts, subject, input)
  const write = writeOf({ ...entry, modes: [] }, commonParts)
  return toSubmittedWrite(write, { ownerSigned, ...(complete && { complete }), amount, factsOf })
}

function writeOf(entry: UntypedEntry, service: UntypedWrite): AnyWrite {
  const { name, operationId, path, bodyless, legalExempt, modes, signed, choices, boundFields, normalise } = entry
  const {
    load,
    mode,
    suffixes,
    completeInput,
    preflight,
    signed: signatureBeside,
    guard,
    returnsUnit,
    respond,
    facts,
    body = z.object({}),
    ...sameParts
  } = service
  const factsOf = (subject: unknown, input: Fields) => readFacts(facts, subject, input)
  return {
    ...sameParts,
    ...(bodyless && { bodyless }),
    ...(legalExempt && { legalExempt }),
    ...(choices && { choices }),
    ...(boundFields && { boundFields }),
    ...catalogued(name),
    operation: name,
    operationId,
    path,
    params: paramsOf(path),
    body,
    normalise: (request) => normaliseRequest(normalise, request),
    load: (deps, request, payer) => load(deps, fieldsOf(request), payer),
    modes,
    ...(mode && { mode: (subject, request) => mode(subject, fieldsOf(request)) }),
    ...pricesOf(entry, factsOf),
    ...(returnsUnit && { returnsUnit: (request) => returnsUnit(fieldsOf(request)) }),
    preflight: (subject, request, context) => preflight(subject, fieldsOf(request), context),
    ...(signed && {
      signed: (request, subject) => {
        const input = fieldsOf(request)
        const facts = factsOf(subject, input)
        return {
          ...signatureOf(signed, input, { facts, admitted: suffixes?.(subject, input) ?? null }),
          callTails: async (deps) => {
            if (deps.deployment.bound !== true) return []
            const completedInput = (await completeInput?.(deps, input)) ?? input
            return callTailsOf(deps, { entry, signed, input: completedInput, facts })
          },
        }
      },
    }),
    ...(signatureBeside && { signed: (request, subject) => signatureBeside(subject, fieldsOf(request)) }),
    prepare: (deps, subject, request, actor, payment = null) => {
      const input = fieldsOf(request)
      const maker = { actor, payment, ...(request.arriving && { arriving: request.arriving }) }
      return prepare(deps, { entry, service, subject, input, facts: factsOf(subject, input), maker })
    },
    ...(guard && { guard: (tx, subject, request) => guard(tx, subject, fieldsOf(request)) }),
    ...(respond && { respond: (deps, result, request, actor) => respond(deps, result, fieldsOf(request), actor) }),
  }
}

function catalogued(name: OperationName) {
  const { summary, description } = catalogue[name]
  return { summary, description }
}

/** Returns the schema of the path parameters of a write. All parameters are 32-byte ids. */
function paramsOf(path: string) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? [])
  return z.object(Object.fromEntries(names.map((name) => [name, bytes32Text])))
}

function readFacts(readers: UntypedWrite['facts'], subject: unknown, input: Fields): Fields {
  const facts: Fields = {}
  for (const [name, read] of Object.entries(readers)) {
    Object.defineProperty(facts, name, { enumerable: true, get: () => read(subject, input) })
  }
  return facts
}

function pricesOf(
  { price }: UntypedEntry,
  factsOf: (subject: unknown, input: Fields) => Fields,
): Pick<AnyWrite, 'charge' | 'price'> {
  const { least, most, is } = price
  // A fixed price needs no request.
  if (least === most) return { charge: () => ({ amount: least, escrow: 0n }) }
  return {
    price: { min: least, max: most, is },
    charge: (subject, request) => {
      const input = fieldsOf(request)
      const { fee, escrow } = price.of(input, factsOf(subject, input))
      return { amount: fee + escrow, escrow }
    },
  }
}

/**
 * Returns the signature of a body, and the text that the signer must have signed. If the text ends with the task's
 * round, the signer also agrees to the task's current terms, and `agreesTo` is set.
 */
function signatureOf(
  { verb, suffixRule, taskId, signer, signature, suffixes }: SignedForm<Fields, Fields>,
  input: Fields,
  { facts, admitted }: { facts: Fields; admitted: TextSignature['suffixes'] | null },
): TextSignature {
  const task = taskId(input)
  return {
    actor: signer(input),
    signature: signature(input),
    text: taskText(verb, task),
    suffixes: admitted ?? suffixes(input, facts),
    ...(suffixRule === 'round' && { agreesTo: { verb, taskId: task } }),
  }
}

/**
 * Returns the suffixes that make a signed text valid for this call only. A suffix is the result of `callTailOf`, which
 * ends with the hash of the call. If the text names the task's round, there is one suffix for each accepted round: the
 * round, followed by the result of `callTailOf`.
 */
function callTailsOf(
  { deployment }: Pick<WriteDeps, 'deployment'>,
  { entry, signed, input, facts }: Pick<Admitted, 'entry' | 'input' | 'facts'> & { signed: SignedForm<Fields, Fields> },
): string[] {
  const { data } = entry.call(input, { facts, deployment, actor: signed.signer(input) })
  const rounds = signed.suffixRule === 'round' ? signed.suffixes(input, facts) : ['']
  return rounds.map((round) => round + callTailOf(data, deployment))
}

interface Admitted {
  entry: UntypedEntry
  service: UntypedWrite
  subject: unknown
  input: Fields
  facts: Fields
  maker: CallMaker
}

async function prepare(
  deps: WriteDeps,
  { entry, service, subject, input, facts, maker }: Admitted,
): ReturnType<AnyWrite['prepare']> {
  const preparation = (await service.content?.(deps, subject, input, maker)) ?? { content: {} }
  if ('failure' in preparation) return preparation
  const { input: completedInput = input, resultInputs, ...storedContent } = preparation
  const { deployment } = deps
  const { target, data } = entry.call(completedInput, { facts, deployment, actor: maker.actor })
  return {
    ...storedContent,
    ...(resultInputs && { facts: resultInputs }),
    ...allowanceOf(entry.name, completedInput, facts),
    target,
    data,
    hintFacts: () => toFactHints(entry.facts, facts),
  }
}

function allowanceOf(
  name: OperationName,
  input: Fields,
  facts: Fields,
): Pick<PreparedCall, 'awards' | 'bringsHooks' | 'registryGas'> {
  const { allowance } = catalogue[name] as UntypedListing
  const { awards, ownHooks = 0, outsideGas } = allowance?.(input, facts) ?? {}
  return {
    ...(awards !== undefined && { awards }),
    ...(ownHooks > 0 && { bringsHooks: true }),
    ...(outsideGas !== undefined && { registryGas: outsideGas }),
  }
}
