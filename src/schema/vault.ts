import { index, onchainTable, sql } from 'ponder'
import { position } from './position.ts'

/**
 * One row a sponsor's vault of the deployment's factory (`VaultCreated`), with the totals that its last event logged.
 * Key: the vault id, keccak256(abi.encode(chainId, factory, owner, token, salt)). Amounts are base units of its token.
 */
export const sponsoredVault = onchainTable(
  'sponsored_vault',
  (t) => ({
    vaultId: t.hex().primaryKey(),
    /** The vault's own contract: holds the tokens, and is the verifying contract of signed claims. */
    vault: t.hex().notNull(),
    /** The deployment's SponsoredTasksHook. Other hooks charge the vault only if its owner allows them. */
    hook: t.hex().notNull(),
    owner: t.hex().notNull(),
    token: t.hex().notNull(),
    salt: t.hex().notNull(),
    /** What the token answered when the vault was made, 32 printable characters at most, chosen by it; null: no answer. */
    tokenName: t.text(),
    tokenSymbol: t.text(),
    tokenDecimals: t.integer(),
    /** Of the present life of the vault: an exit ends it, and every charge of it. */
    epoch: t.integer().notNull(),
    /** Unix seconds from which on the owner may exit; null: not announced. */
    exitAt: t.int8({ mode: 'bigint' }),
    /** Unix seconds of the exit; null: active. */
    exitedAt: t.int8({ mode: 'bigint' }),
    /** The owner's, free for charges and to withdraw. */
    available: t.bigint().notNull(),
    /** Charged for tasks that have not ended. */
    reserved: t.bigint().notNull(),
    /** Credited to workers and not claimed. */
    owed: t.bigint().notNull(),
    /** Platform fees of credited rewards, not collected. */
    fees: t.bigint().notNull(),
    /** Platform fees that new charges may still cause: an allowance, not a balance. */
    feeCredit: t.bigint().notNull(),
    /** Received by `fund`, sent back by `withdrawAvailable`, paid to workers, collected as fees; ever. */
    fundedTotal: t.bigint().notNull(),
    withdrawnTotal: t.bigint().notNull(),
    claimedTotal: t.bigint().notNull(),
    collectedTotal: t.bigint().notNull(),
    /** How many rows of `vault_event` there are: the next ordinal. */
    eventCount: t.integer().notNull(),
    ...position(t),
  }),
  (table) => ({
    byToken: index().on(table.token, table.vaultId),
    byOwner: index().on(table.owner),
    byContract: index().on(table.vault),
  }),
)

/** One row a vault's contract. Key: its address. The vault's other events name no vault id. */
export const vaultAddress = onchainTable('vault_address', (t) => ({
  vault: t.hex().primaryKey(),
  vaultId: t.hex().notNull(),
}))

/** One row an account that the owner ever named as a manager. Key: `<vaultId>:<manager>`. */
export const vaultManager = onchainTable(
  'vault_manager',
  (t) => ({
    id: t.text().primaryKey(),
    vaultId: t.hex().notNull(),
    manager: t.hex().notNull(),
    /** Charges never raise `spent` above it; the owner may set it below. */
    spendCap: t.bigint().notNull(),
    /** Charged and not released, in all epochs. */
    spent: t.bigint().notNull(),
    active: t.boolean().notNull(),
    ...position(t),
  }),
  (table) => ({ byVault: index().on(table.vaultId, table.manager), byManager: index().on(table.manager) }),
)

/** One row a hook that the owner ever allowed to charge the vault, or refused. Key: `<vaultId>:<hook>`. */
export const vaultCharger = onchainTable(
  'vault_charger',
  (t) => ({
    id: t.text().primaryKey(),
    vaultId: t.hex().notNull(),
    hook: t.hex().notNull(),
    allowed: t.boolean().notNull(),
    ...position(t),
  }),
  (table) => ({ byVault: index().on(table.vaultId) }),
)

/**
 * One row a charge of a vault: the reward of one task, as its hook left it. Key: `<vaultId>:<taskId>`. Only where `hook`
 * is the vault's own is `taskId` a task of this market, and the rest what its task earned: a hook of the owner's choice
 * may name any id and any credit. A charge whose `epoch` is below the vault's has ended: what it had not paid went back
 * to the owner (`defaulted`).
 */
export const vaultCharge = onchainTable(
  'vault_charge',
  (t) => ({
    id: t.text().primaryKey(),
    vaultId: t.hex().notNull(),
    taskId: t.hex().notNull(),
    /** Made the charge, and alone decides about it. */
    hook: t.hex().notNull(),
    /** Whether `hook` is the vault's own. */
    isOwnHook: t.boolean().notNull(),
    manager: t.hex().notNull(),
    /** Of the vault at the charge. */
    epoch: t.integer().notNull(),
    /** reserved, credited, settled (claims are open) or released. */
    state: t.text().notNull(),
    /** Reserved at first: `net`, for workers, and `fee`, the platform's for a full award. */
    gross: t.bigint().notNull(),
    net: t.bigint().notNull(),
    fee: t.bigint().notNull(),
    /** What the task could pay, USDC base units: an award of as much earns all of `net`; null: not credited. */
    base: t.bigint(),
    /** Owed to workers at first, and to the platform. */
    credited: t.bigint().notNull(),
    creditedFee: t.bigint().notNull(),
    /** Back to the owner when the task ended. */
    released: t.bigint().notNull(),
    /** Claimed by workers. */
    paid: t.bigint().notNull(),
    /** Unix seconds of the credit or release; null: the task goes on, or its ending was missed. */
    endedAt: t.int8({ mode: 'bigint' }),
    /** The place of that event in the chain. */
    endedBlock: t.int8({ mode: 'bigint' }),
    endedTransaction: t.hex(),
    endedLogIndex: t.integer(),
    ...position(t),
  }),
  (table) => ({
    byVault: index().on(table.vaultId, table.blockNumber),
    byVaultEnd: index().on(table.vaultId, table.endedBlock),
    byTask: index().on(table.taskId),
    // The task that the ledger shows.
    byOwnTask: index('vault_charge_own_task_index').on(sql`(case when is_own_hook then task_id end)`),
    byState: index().on(table.state, table.isOwnHook),
  }),
)

/** One row a settlement (`SettlementInstalled`): the merkle root of a charge's claims. Key: `<vaultId>:<taskId>`. */
export const vaultSettlement = onchainTable(
  'vault_settlement',
  (t) => ({
    id: t.text().primaryKey(),
    vaultId: t.hex().notNull(),
    taskId: t.hex().notNull(),
    epoch: t.integer().notNull(),
    root: t.hex().notNull(),
    /** Sum of the leaves: what the charge credited. */
    total: t.bigint().notNull(),
    ...position(t),
  }),
  (table) => ({ byVault: index().on(table.vaultId, table.epoch, table.blockNumber, table.logIndex) }),
)

/**
 * One row a leaf of a settlement by the vault's own hook: what an award of the task earned. Key:
 * `<vaultId>:<taskId>:<index>`. Settlements of other hooks have none: their lists need not fit their root.
 */
export const vaultLeaf = onchainTable(
  'vault_leaf',
  (t) => ({
    id: t.text().primaryKey(),
    vaultId: t.hex().notNull(),
    taskId: t.hex().notNull(),
    epoch: t.integer().notNull(),
    /** Position among the awards of the task, from 0; awards that earned nothing leave gaps. */
    index: t.integer().notNull(),
    worker: t.hex().notNull(),
    amount: t.bigint().notNull(),
    /** Unix seconds of its claim; null: not paid. */
    paidAt: t.int8({ mode: 'bigint' }),
    ...position(t),
  }),
  (table) => ({
    byTask: index().on(table.vaultId, table.taskId, table.index),
    byWorker: index().on(table.worker, table.vaultId),
  }),
)

/** One row a claim that was paid (`Claimed`). Key: `<vaultId>:<taskId>:<index>`: a leaf pays once. */
export const vaultClaim = onchainTable(
  'vault_claim',
  (t) => ({
    id: t.text().primaryKey(),
    vaultId: t.hex().notNull(),
    taskId: t.hex().notNull(),
    index: t.integer().notNull(),
    worker: t.hex().notNull(),
    destination: t.hex().notNull(),
    amount: t.bigint().notNull(),
    /** Of the worker in this vault, from 0. */
    nonce: t.bigint().notNull(),
    ...position(t),
  }),
  (table) => ({
    byWorker: index().on(table.worker, table.vaultId, table.nonce),
    byVault: index().on(table.vaultId, table.blockNumber),
    byTask: index().on(table.taskId),
    byDestination: index().on(table.destination, table.blockNumber),
    byBlock: index().on(table.blockNumber),
  }),
)

/** One row an epoch of a vault: it has one, and after its exit another. Key: `<vaultId>:<epoch>`. */
export const vaultEpoch = onchainTable('vault_epoch', (t) => ({
  id: t.text().primaryKey(),
  vaultId: t.hex().notNull(),
  epoch: t.integer().notNull(),
  /** Unix seconds; `endedAt` is that of the exit, null while it goes on. */
  startedAt: t.int8({ mode: 'bigint' }).notNull(),
  endedAt: t.int8({ mode: 'bigint' }),
  /** At the exit: owed to workers and not claimed; sent to the account that the owner named. */
  defaulted: t.bigint(),
  returned: t.bigint(),
  returnedTo: t.hex(),
}))

/**
 * One row an event of a vault that is about no single charge: funding, withdrawals, fees, settings and the exit. Key:
 * `<vaultId>:<ordinal>`, ordinal from 0 within the vault.
 */
export const vaultEvent = onchainTable(
  'vault_event',
  (t) => ({
    id: t.text().primaryKey(),
    vaultId: t.hex().notNull(),
    ordinal: t.integer().notNull(),
    /** The Solidity event name, such as Funded. */
    name: t.text().notNull(),
    /** The event's arguments; amounts and times as decimal strings. */
    args: t.json().$type<Record<string, unknown>>().notNull(),
    ...position(t),
  }),
  (table) => ({
    byVault: index().on(table.vaultId, table.ordinal),
    byVaultBlock: index().on(table.vaultId, table.blockNumber),
    byName: index().on(table.name),
    // The account that an event pays from, and the one that it pays.
    byFrom: index('vault_event_from_index').on(sql`(args->>'from')`, table.blockNumber),
    byTo: index('vault_event_to_index').on(sql`(args->>'to')`, table.blockNumber),
  }),
)
