import { MIN_WITHDRAWAL } from '../../../client/src/index.ts'
import { amount, usdcText } from '../../words/amount.ts'
import type { Field, Values } from '../forms/fields.ts'
import type { AskedWrite } from '../write/sheet-words.ts'

const rewardTokenDecimals = 18

/** The amounts and settings of a wallet at this service. All amounts are base units. `balance` is the wallet's USDC. */
export interface Account {
  balance: bigint
  /** Reward tokens that the wallet can withdraw, in base units (18 decimals). */
  tokens: bigint
  /** Payouts that could not be sent to the wallet and are owed to it, in base units of USDC. */
  credit: bigint
  withdrawalAddress: string | null
  agentId: string | null
}

/** The actions of a wallet that concern no task. */
export type AccountActs = { form: AccountForm }[]

interface AccountForm {
  heading: string
  about?: string
  fields: readonly Field[]
  ask(values: Values): Promise<AskedWrite>
}

/** Returns the actions, other than those on tasks, that are possible for the wallet now. */
export function accountActs({ balance, tokens, credit, withdrawalAddress, agentId }: Account): AccountActs {
  const destination: Field = {
    kind: 'address',
    name: 'to',
    label: 'Your withdrawal address',
    hint: 'Type the one that you registered, so that no service can put another one in its place.',
  }
  const forms: (AccountForm | null)[] = [
    withdrawalAddress === null || balance < MIN_WITHDRAWAL
      ? null
      : {
          heading: 'Withdraw USDC',
          fields: [
            { kind: 'usdc', name: 'amountBaseUnits', label: 'Amount, USDC', least: MIN_WITHDRAWAL, most: balance },
            destination,
          ],
          ask: async (values) => ({
            name: 'withdraw',
            input: { ...values },
            words: {
              act: `Withdraw ${usdcText(String(values.amountBaseUnits))} USDC`,
              title: `Withdrawing ${usdcText(String(values.amountBaseUnits))} USDC`,
              effects: [
                ['Leaves your wallet', `${usdcText(String(values.amountBaseUnits))} USDC`],
                ['To', String(values.to)],
              ],
              done: 'Withdrawn to your withdrawal address.',
            },
            page: null,
          }),
        },
    withdrawalAddress === null || tokens === 0n
      ? null
      : {
          heading: 'Withdraw reward tokens',
          fields: [destination],
          ask: async (values) => ({
            name: 'withdrawToken',
            input: { ...values },
            words: {
              act: 'Withdraw all reward tokens',
              title: 'Withdrawing reward tokens',
              effects: [
                ['You receive', `${amount(tokens, rewardTokenDecimals)} tokens`],
                ['To', String(values.to)],
              ],
              done: 'Withdrawn to your withdrawal address.',
            },
            page: null,
          }),
        },
    credit === 0n
      ? null
      : {
          heading: 'Have the payout sent',
          fields: [],
          ask: async () => ({
            name: 'pushCredit',
            input: {},
            words: {
              act: 'Have the payout sent',
              title: 'Sending the payout',
              effects: [['Comes to your wallet', `${usdcText(credit)} USDC`]],
              done: 'Sent.',
            },
            page: null,
          }),
        },
    agentId !== null
      ? null
      : {
          heading: 'Register as an agent',
          about:
            'Registers this wallet on chain as a software agent (ERC-8004). Its record and ratings are then shown under its agent id.',
          fields: [],
          ask: async () => ({
            name: 'registerIdentity',
            input: {},
            words: {
              act: 'Register as an agent',
              title: 'Registering as an agent',
              effects: [],
              done: 'Registered.',
            },
            page: null,
          }),
        },
  ]
  return forms.flatMap((form) => (form === null ? [] : [{ form }]))
}
