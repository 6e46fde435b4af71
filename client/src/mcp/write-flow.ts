import type { WriteInput, WriteName } from '../api/write-names.ts'
import { describeWrite, effectsOf, type WriteTerms } from '../cli/describe-write.ts'
import type { ClientContext } from '../context.ts'
import { StoreError } from '../store/store.ts'
import { lookUpWrite } from '../writes/look-up.ts'
import type { Outcome } from '../writes/outcome.ts'
import { runWrite } from '../writes/run-write.ts'
import { Refused } from '../writes/write-spec.ts'
import { createGrants, differingTerms, type Terms } from './grants.ts'
import { questionOf } from './person.ts'
import { type AgreedCall, type AskedWrite, type Finding, findTerms, isPersonal } from './terms.ts'

/** The lifetime of a preview's token, in milliseconds. */
export const TOKEN_MS = 60_000
/** The time in milliseconds that a user has to answer a question. */
export const QUESTION_MS = 300_000

/** The values that a confirmation must repeat from its preview. */
export interface Confirmation {
  write: string
  token: string
  requestHash: string
  decides: string
}

interface Previewed {
  asked: AskedWrite
  terms: Terms
  description: string
  agreed: AgreedCall
}

/** The next step after a confirmation: ask the user, or make the write. */
export type Step = { next: 'ask'; questionId: string; question: string } | { next: 'run'; previewed: Previewed }

/** Converts the terms of a write to the argument of `describeWrite`, which composes the sentence for the user. */
function termsOf({ terms: { price, decides, payTo }, row, assets }: Finding): WriteTerms {
  const platformFeeBps = row?.platformFeeBps ?? null
  return { price, counted: decides, payTo, assets: { clauses: assets }, platformFeeBps }
}

type AnyOutcome = Outcome<Record<string, unknown>>

/**
 * The preview, confirmation and outcome of the writes of one process. Each function may throw Refused or StoreError.
 */
export interface WriteFlow {
  preview(askedWrite: AskedWrite): Promise<object>
  /**
   * Deletes the preview's token, which can be used only once. Checks that the write still has the terms of its preview.
   */
  confirm(confirmation: Confirmation): Promise<Step>
  /**
   * Deletes the question to which the user has agreed, and returns the write to make. Checks again that the write still
   * has the terms of its preview.
   */
  answered(questionId: string, confirmation: Confirmation): Promise<Previewed>
  /** Makes the write. `isAttended` is true if a user has agreed. */
  run(previewedWrite: Previewed, isAttended: boolean): Promise<AnyOutcome>
  /**
   * Continues a write whose outcome is not final yet. If an earlier process made the write, the client only looks up
   * the outcome and sends nothing again.
   */
  resume(key: string): Promise<AnyOutcome>
}

/**
 * Creates the functions by which a model previews, confirms and makes writes. A preview is valid only in the process
 * that made the preview.
 * @param now returns the time in milliseconds
 */
export function createWriteFlow(context: ClientContext, now: () => number = Date.now): WriteFlow {
  const tokens = createGrants<Previewed>({ lifetimeMs: TOKEN_MS, now })
  const questions = createGrants<{ previewed: Previewed; token: string }>({ lifetimeMs: QUESTION_MS, now })
  const openWrites = new Map<string, { previewed: Previewed; isAttended: boolean }>()

  const make = async (previewedWrite: Previewed, isAttended: boolean, key?: string): Promise<AnyOutcome> => {
    const { asked, terms, agreed } = previewedWrite
    const outcome = (await runWrite(context, asked.name, asked.input as WriteInput<WriteName>, {
      ...(key === undefined ? { again: asked.again === true } : { key }),
      // The write may decide at most what was previewed.
      limits: { perCall: terms.decides },
      agreed,
      isUnattended: !isAttended,
      isConfirmed: isAttended,
      long: asked.long === true,
    })) as AnyOutcome
    if (outcome.kind === 'inFlight' || outcome.kind === 'unknown')
      openWrites.set(outcome.key, { previewed: previewedWrite, isAttended })
    else if (key !== undefined) openWrites.delete(key)
    return outcome
  }

  const checkUnchanged = async (previewedWrite: Previewed) => {
    const currentFinding = await findTerms(context, previewedWrite.asked, previewedWrite.agreed)
    const changedNames = differingTerms(previewedWrite.terms, currentFinding.terms)
    if (changedNames.length === 0) return currentFinding
    const message = `Since the preview has changed: ${changedNames.join(', ')}. Preview the write again. Nothing was sent.`
    throw new Refused('terms_changed', message)
  }

  return {
    preview: async (askedWrite) => {
      const finding = await findTerms(context, askedWrite)
      const { terms, needsPerson, row, isActSimulated } = finding
      const writeTerms = termsOf(finding)
      const description = describeWrite(askedWrite, writeTerms)
      const { token, expiresAt } = tokens.issue({ asked: askedWrite, terms, description, agreed: finding.agreed })
      const decides = terms.decides.toString()
      return {
        write: askedWrite.name,
        summary: description,
        price: terms.price?.toString() ?? null,
        payTo: terms.payTo,
        decides,
        effects: effectsOf(askedWrite, writeTerms),
        assets: finding.assets,
        needsPerson,
        isActSimulated,
        isOffered: row === null ? null : row.offered.includes(askedWrite.name),
        submissions: row?.submissions ?? [],
        rowVersion: terms.rowVersion,
        requestHash: terms.requestHash,
        expiresAt: new Date(expiresAt).toISOString(),
        confirm: {
          tool: 'confirm_write',
          arguments: { write: askedWrite.name, token, requestHash: terms.requestHash, decides },
        },
      }
    },
    confirm: async (confirmation) => {
      const grant = tokens.take(confirmation.token)
      if (!grant.ok) {
        const why = grant.problem === 'expired' ? 'has expired' : 'is not known here, or was used'
        throw new Refused('invalid_token', `This token ${why}; preview the write again. Nothing was sent.`)
      }
      checkSame(grant.value, confirmation)
      const { needsPerson } = await checkUnchanged(grant.value)
      if (!needsPerson) return { next: 'run', previewed: grant.value }
      const { description, asked } = grant.value
      const { token: questionId } = questions.issue({ previewed: grant.value, token: confirmation.token })
      return { next: 'ask', questionId, question: questionOf(description, asked.input) }
    },
    answered: async (questionId, confirmation) => {
      const grant = questions.take(questionId)
      if (!grant.ok || grant.value.token !== confirmation.token) {
        throw new Refused('invalid_token', 'This question was not asked here, or is over. Nothing was sent.')
      }
      checkSame(grant.value.previewed, confirmation)
      await checkUnchanged(grant.value.previewed)
      return grant.value.previewed
    },
    run: async (previewedWrite, isAttended) => {
      if (!isAttended && isPersonal(previewedWrite.asked.name)) throw new Refused('person_needed', NO_PERSON)
      return await make(previewedWrite, isAttended)
    },
    resume: async (key) => {
      const openWrite = openWrites.get(key)
      // The journal of an earlier process has no arguments: the write is looked up, not sent again.
      if (openWrite === undefined) return await lookUpWrite(context, key)
      return await make(openWrite.previewed, openWrite.isAttended, key)
    },
  }
}

export const NO_PERSON =
  'This write needs a person: this client does not offer elicitation, and there is no terminal. Nothing was sent.'

/**
 * Checks that the token was issued for the write that the confirmation names.
 * @throws Refused when the token belongs to another write
 */
function checkSame({ asked, terms }: Previewed, { write, requestHash, decides }: Confirmation): void {
  if (write === asked.name && requestHash === terms.requestHash && decides === terms.decides.toString()) return
  throw new Refused('invalid_token', 'This token belongs to another request. Nothing was sent.')
}

/**
 * Converts a Refused or StoreError to the answer for the model.
 * @throws any other error unchanged
 */
export function toProblem(error: unknown): object {
  if (error instanceof Refused) return { kind: 'refused', ...error.refusal }
  if (error instanceof StoreError) return { kind: 'refused', reason: 'no_store', message: error.message }
  throw error
}
