import type { Address, Hex } from 'viem'
import {
  boundOnlyText,
  callTailOf,
  type ForwarderPlace,
  paymentRequestText,
  uploadText,
} from '../../../protocol/bound-call.ts'
import { signatureSuffixOf } from '../../../protocol/claim-round.ts'
import { keysSuffixOf } from '../../../protocol/operations/create-submission-from-keys.ts'
import * as accountTexts from '../../../protocol/signed/account-texts.ts'
import {
  type SignedMessage,
  type SignedText,
  type SignedTextKind,
  toSignedMessage,
} from '../../../protocol/signed/signed-text.ts'
import { taskText } from '../../../protocol/signed/task-texts.ts'
import { toWithdrawalText } from '../../../protocol/signed/token-withdrawal.ts'

/** Values that signed texts name. */
export interface SignedValues {
  chainId: number
  forwarder: Address
  wallet: Address
  /** Another address: a destination, or the worker of a pitch. */
  other: Address
  taskId: Hex
  /** A vault, a pitch, or a nonce. */
  id: Hex
  round: number
  counter: bigint
  /** Unix seconds. */
  time: bigint
  /** Data of the call of a free write. */
  data: Hex
  keys: readonly string[]
  host: string
  request: string
  key: string
  body: string
  status: 'approved' | 'rejected'
}

/** One form of a text: the values that it names, and the text as it is signed. */
export interface SignedRow {
  names: readonly (keyof SignedValues)[]
  text: (values: SignedValues) => SignedMessage
}

const message = (text: SignedText, suffix = '') => toSignedMessage('service', text, suffix)
const place = ({ chainId, forwarder }: SignedValues): ForwarderPlace => ({ chainId, forwarder })
const call = (values: SignedValues) => callTailOf(values.data, place(values))
const requestText = (values: SignedValues) => {
  const [method = '', path = ''] = values.request.split(' ')
  return paymentRequestText('service', place(values), { method, path, key: values.key, bodySha256: values.body })
}

/** The texts of a write that names the round of its task, as of a round that is none, a later one, or a call in either. */
function roundRows(verb: 'claim' | 'forfeit'): Record<string, SignedRow> {
  const head = ({ taskId }: SignedValues) => taskText(verb, taskId)
  const roundOf = ({ round }: SignedValues) => signatureSuffixOf({ claimRound: round })
  return {
    plain: { names: ['taskId'], text: (values) => message(head(values)) },
    round: { names: ['taskId', 'round'], text: (values) => message(head(values), roundOf(values)) },
    call: {
      names: ['taskId', 'chainId', 'forwarder', 'data'],
      text: (values) => message(head(values), call(values)),
    },
    'call in a round': {
      names: ['taskId', 'round', 'chainId', 'forwarder', 'data'],
      text: (values) => message(head(values), roundOf(values) + call(values)),
    },
  }
}

/** Purposes of the texts that `account-texts.ts` makes. */
type AccountKind =
  | 'read'
  | 'consent'
  | 'device-register'
  | 'set-withdrawal-address'
  | 'reveal-account-recovery-code'
  | 'curate'
  | 'webhook'

/** The forms of the texts that wallets sign, by purpose: a new purpose does not compile until it has its forms here. */
const rowsByKind: Record<Exclude<SignedTextKind, AccountKind>, Record<string, SignedRow>> = {
  claim: roundRows('claim'),
  forfeit: roundRows('forfeit'),
  submit: {
    plain: { names: ['taskId'], text: ({ taskId }) => message(taskText('submit', taskId)) },
    keys: {
      names: ['taskId', 'keys'],
      text: ({ taskId, keys }) =>
        message(taskText('submit', taskId), keysSuffixOf(keys.map((artifactKey) => ({ artifactKey })))),
    },
    call: {
      names: ['taskId', 'chainId', 'forwarder', 'data'],
      text: (values) => message(taskText('submit', values.taskId), call(values)),
    },
  },
  'select-worker': {
    selection: {
      names: ['taskId', 'id', 'other'],
      text: ({ taskId, id, other }) => message(taskText('select-worker', taskId), `:${id}:${other}`),
    },
  },
  upload: {
    files: {
      names: ['chainId', 'forwarder', 'taskId', 'wallet'],
      text: (values) => uploadText('service', place(values), { taskId: values.taskId, worker: values.wallet }),
    },
  },
  pay: {
    // Its hash is a nonce or a salt; no wallet signs it as a text.
    request: { names: ['chainId', 'forwarder', 'request', 'key', 'body'], text: requestText },
    proof: {
      names: ['chainId', 'forwarder', 'request', 'key', 'body', 'id'],
      text: (values) => `${requestText(values)}:${values.id}`,
    },
  },
  'bound-only': { on: switchRow(true), off: switchRow(false) },
  'withdraw-token': {
    withdrawal: {
      names: ['other', 'id', 'time'],
      text: ({ other, id, time }) => message(toWithdrawalText({ destination: other, nonce: id, validBefore: time })),
    },
  },
}

/** The same of the texts of accounts, by the function that makes them. */
const rowsByFunction: Record<keyof typeof accountTexts, Record<string, SignedRow>> = {
  lastingReadText: {
    'read, lasting': { names: ['wallet'], text: ({ wallet }) => message(accountTexts.lastingReadText(wallet)) },
  },
  readIdentityText: {
    'read, ending': {
      names: ['chainId', 'host', 'wallet', 'time'],
      text: ({ chainId, host, wallet, time }) =>
        message(accountTexts.readIdentityText({ chainId, host }, { wallet, expires: time })),
    },
  },
  consentText: { 'consent, on': consentRow(true), 'consent, off': consentRow(false) },
  deviceText: {
    'device-register, device': { names: ['wallet'], text: ({ wallet }) => message(accountTexts.deviceText(wallet)) },
  },
  withdrawalAddressText: {
    'set-withdrawal-address, address': {
      names: ['other'],
      text: ({ other }) => message(accountTexts.withdrawalAddressText(other)),
    },
  },
  recoveryCodeText: {
    'reveal-account-recovery-code, code': {
      names: ['wallet'],
      text: ({ wallet }) => message(accountTexts.recoveryCodeText(wallet)),
    },
  },
  curationText: {
    'curate, decision': {
      names: ['id', 'status', 'time'],
      text: ({ id, status, time }) => message(accountTexts.curationText({ vaultId: id, status, timestamp: time })),
    },
  },
  webhookText: {
    'webhook, create': webhookRow('create', 'body'),
    'webhook, rotate': webhookRow('rotate', 'key'),
    'webhook, resume': webhookRow('resume', 'key'),
    'webhook, test': webhookRow('test', 'key'),
    'webhook, replay': webhookRow('replay', 'key'),
    'webhook, delete': webhookRow('delete', 'key'),
  },
}

function webhookRow(verb: accountTexts.WebhookVerb, subject: 'body' | 'key'): SignedRow {
  return {
    names: ['chainId', 'host', 'wallet', subject, 'time'],
    text: ({ chainId, host, wallet, time, ...values }) =>
      message(accountTexts.webhookText({ chainId, host }, { verb, wallet, subject: values[subject], timestamp: time })),
  }
}

function switchRow(isOn: boolean): SignedRow {
  return {
    names: ['chainId', 'forwarder', 'wallet', 'counter', 'time'],
    text: (values) => {
      const { wallet, counter, time } = values
      return message(boundOnlyText(place(values), { wallet, isOn, counter, validBefore: time }))
    },
  }
}

function consentRow(isRequired: boolean): SignedRow {
  return {
    names: ['chainId', 'forwarder', 'wallet', 'time'],
    text: (values) => {
      const { wallet, time } = values
      return message(accountTexts.consentText(place(values), { wallet, isRequired, timestamp: time }))
    },
  }
}

/** All forms of texts, named `<purpose>, <form>`. */
export const signedRows = [
  ...Object.entries(rowsByKind).flatMap(([kind, forms]) =>
    Object.entries(forms).map(([form, row]) => ({ name: `${kind}, ${form}`, ...row })),
  ),
  ...Object.values(rowsByFunction).flatMap((forms) => Object.entries(forms).map(([name, row]) => ({ name, ...row }))),
]
