import type { z } from 'zod'
import type { Deployment } from '../../chain/deployment.ts'
import { toAddress, toAmount, toTimestamp } from '../../http/response-schemas.ts'
import type { AssetBooks, ContractBooks } from '../../read-model/books.queries.ts'
import { type AccountKey, toAccountName } from './account-name.ts'
import type { booksOut } from './books.schemas.ts'
import type { DecimalsOf } from './decimals.queries.ts'
import type { MovementRow } from './movements.queries.ts'
import type { OwnedAccount } from './page-start.queries.ts'

type Answer = z.infer<typeof booksOut>

/** A ledger account with its balance in one asset, in base units of the asset. */
export interface AccountSum extends AccountKey {
  asset: AssetBooks['asset']
  amount: bigint
}

/** Returns the books of all contracts in their public form. The fields are in the order of the OpenAPI document. */
export function toAssets(assets: readonly AssetBooks[], decimalsOf: DecimalsOf): Answer['assets'] {
  return assets.map(({ asset, contracts }) => ({
    asset: toAddress(asset),
    decimals: decimalsOf.get(asset) ?? null,
    contracts: contracts.map(toContract),
  }))
}

/**
 * Returns the books of the contracts that hold the money of the given accounts. The books have the balances of the
 * given accounts only. An account of a wallet has no books, because no contract of the deployment holds its money.
 */
export function toAssetsOf(
  deployment: Deployment,
  { assets, sums, decimalsOf }: { assets: readonly AssetBooks[]; sums: readonly AccountSum[]; decimalsOf: DecimalsOf },
): Answer['assets'] {
  return [...new Set(sums.map(({ asset }) => asset))].map((asset) => {
    const accounts = sums.filter((sum) => sum.asset === asset)
    const books = assets.find((one) => one.asset === asset)?.contracts ?? []
    return {
      asset: toAddress(asset),
      decimals: decimalsOf.get(asset) ?? null,
      contracts: accounts.slice(0, 1).map((account) => ({
        ...toContract(findContract(books, contractOf(deployment, account))),
        accounts: accounts.map((each) => ({ account: toAccountName(each), amount: String(each.amount) })),
      })),
    }
  })
}

function toContract({ name, address, inflow, outflow, balance, accounts, views, difference }: ContractBooks) {
  return {
    name,
    address: toAddress(address),
    inflow: inflow ?? null,
    outflow: outflow ?? null,
    balance,
    accounts: accounts.flatMap(({ account, amount }) => (amount === null ? [] : [{ account, amount }])),
    views: views.map((view) => ({ name: view.name, amount: view.amount })),
    difference,
  }
}

/**
 * Returns the books of a contract from the latest comparison of the ledger with the contracts. The books have no
 * figures if that comparison did not include the contract. Each comparison includes only some of the vaults.
 */
function findContract(
  books: readonly ContractBooks[],
  contract: Pick<ContractBooks, 'name' | 'address'>,
): ContractBooks {
  const unreadSums = { inflow: null, outflow: null, balance: null, accounts: [], views: [], difference: '0' }
  return books.find(({ address }) => address === contract.address) ?? { ...contract, ...unreadSums }
}

/**
 * Returns the account with its owner. The ledger stores no owner for `service_fees` and `bonus_reserve`. The owner of
 * these two accounts is the contract that holds their money.
 */
export function ownedAccount(deployment: Deployment, account: AccountKey): OwnedAccount {
  const { accountClass, owner } = account
  return { accountClass, owner: owner ?? contractOf(deployment, account).address }
}

function contractOf(
  { market, forwarder, bonusHook }: Deployment,
  { accountClass, owner }: AccountKey,
): Pick<ContractBooks, 'name' | 'address'> {
  const ofMarket = { name: 'market', address: market } as const
  const ofForwarder = { name: 'forwarder', address: forwarder } as const
  const ofHook = { name: 'bonus_hook', address: bonusHook ?? market } as const
  switch (accountClass) {
    case 'escrow':
    case 'stake':
    case 'credit':
      return ofMarket
    case 'service_fees':
    case 'prepaid':
      return ofForwarder
    case 'bonus':
    case 'bonus_reserve':
      return ofHook
    default:
      return (
        [ofMarket, ofForwarder, ofHook].find(({ address }) => address === owner) ?? {
          name: 'vault',
          address: owner ?? market,
        }
      )
  }
}

/** Returns a row of the ledger in its public form. */
export function toMovement(row: MovementRow): NonNullable<Answer['movements']>[number] {
  return {
    id: row.id,
    block: Number(row.blockNumber),
    timestamp: toTimestamp(row.blockTimestamp),
    transactionHash: row.transactionHash,
    logIndex: row.logIndex,
    asset: toAddress(row.asset),
    kind: row.kind,
    from: row.fromAccount,
    to: row.toAccount,
    amount: toAmount(row.amount),
    amountUnits: row.amountUnits,
    taskId: row.taskId,
    operation: row.operation,
  }
}
