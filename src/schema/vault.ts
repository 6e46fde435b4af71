import { index, onchainTable, sql } from 'ponder'
import { position } from './position.ts'

/**
 * One row per sponsor's vault of the deployment's factory (`VaultCreated`), with the totals of its last event. Key: the
 * vault id, keccak256(abi.encode(chainId, factory, owner, token, salt)). Amounts are base units of its token.
 */
export const sponsoredVault = onchainTable(
  'sponsored_vault',
  (t) => ({
    /** 32-byte id of the vault. */
    vaultId: t.hex().primaryKey(),
    /** Address of the vault's own contract, which holds the tokens. Signed claims name it as the verifying contract. */
    vault: t.hex().notNull(),
    /** The deployment's SponsoredTasksHook. Another hook can charge the vault only if the owner allows it. */
    hook: t.hex().notNull(),
    /** Owner of the vault: the sponsor. */
    owner: t.hex().notNull(),
    /** Address of the token. */
    token: t.hex().notNull(),
    /** Number that the owner chose to distinguish its vaults of one token. */
    salt: t.hex().notNull(),
    /**
     * Name that the token reported when the vault was created, at most 32 printable characters. The token chooses it
     * freely. Null: no answer.
     */
    tokenName: t.text(),
    /** Symbol that the token reported when the vault was created, at most 32 printable characters; null: no answer. */
    tokenSymbol: t.text(),
    /** Decimals that the token reported when the vault was created; null: no answer. */
    tokenDecimals: t.integer(),
    /** Number of the current epoch of the vault, from 0. An exit ends the epoch and all its charges. */
    epoch: t.integer().notNull(),
    /** Time from which the owner may exit, Unix seconds; null: no exit announced. */
    exitAt: t.int8({ mode: 'bigint' }),
    /** Time of the exit, Unix seconds; null: the vault is active. */
    exitedAt: t.int8({ mode: 'bigint' }),
    /** Amount that is free for charges and for withdrawal by the owner. */
    available: t.bigint().notNull(),
    /** Amount charged for tasks that have not ended. */
    reserved: t.bigint().notNull(),
    /** Amount credited to workers and not claimed. */
    owed: t.bigint().notNull(),
    /** Platform fees of credited rewards that are not collected. */
    fees: t.bigint().notNull(),
    /** Platform fees that new charges may still cause: an allowance, not a balance. */
    feeCredit: t.bigint().notNull(),
    /** Sum received by calls of fund ever. */
    fundedTotal: t.bigint().notNull(),
    /**
     * Sum that the owner withdrew ever from the available amount. `vault_epoch.returned` has what an exit sent back.
     */
    withdrawnTotal: t.bigint().notNull(),
    /** Sum paid to workers ever. */
    claimedTotal: t.bigint().notNull(),
    /** Sum collected as platform fees ever. */
    collectedTotal: t.bigint().notNull(),
    /** Number of rows in `vault_event`: the next ordinal. */
    eventCount: t.integer().notNull(),
    ...position(t),
  }),
  (table) => ({
    byToken: index().on(table.token, table.vaultId),
    byOwner: index().on(table.owner),
    byContract: index().on(table.vault),
  }),
)

/**
 * One row per contract of a vault. Key: its address. It leads to the vault id, which most events of a vault do not
 * contain.
 */
export const vaultAddress = onchainTable('vault_address', (t) => ({
  /** Address of the contract. */
  vault: t.hex().primaryKey(),
  /** Id of its vault. */
  vaultId: t.hex().notNull(),
}))

/** One row per account that the owner ever named as a manager. Key: `<vaultId>:<manager>`. */
export const vaultManager = onchainTable(
  'vault_manager',
  (t) => ({
    /** `<vaultId>:<manager>`. */
    id: t.text().primaryKey(),
    /** The vault. */
    vaultId: t.hex().notNull(),
    /** Address of the manager. */
    manager: t.hex().notNull(),
    /** Bound on `spent` at a charge, base units of the vault's token. The owner may set it below `spent`. */
    spendCap: t.bigint().notNull(),
    /** Amount charged and not released, in all epochs, base units of the vault's token. */
    spent: t.bigint().notNull(),
    /** True if the account may charge. */
    active: t.boolean().notNull(),
    ...position(t),
  }),
  (table) => ({ byVault: index().on(table.vaultId, table.manager), byManager: index().on(table.manager) }),
)

/** One row per hook that the owner ever allowed to charge the vault, or refused. Key: `<vaultId>:<hook>`. */
export const vaultCharger = onchainTable(
  'vault_charger',
  (t) => ({
    /** `<vaultId>:<hook>`. */
    id: t.text().primaryKey(),
    /** The vault. */
    vaultId: t.hex().notNull(),
    /** Address of the hook. */
    hook: t.hex().notNull(),
    /** True if the hook may make new charges. It keeps control of charges that it made before. */
    allowed: t.boolean().notNull(),
    ...position(t),
  }),
  (table) => ({ byVault: index().on(table.vaultId) }),
)

/**
 * One row per charge of a vault: the reward of one task, as its hook left it. Key: `<vaultId>:<taskId>`. Where
 * `isOwnHook` is true, `taskId` is a task of this market and the amounts are what it earned. A hook that the owner
 * chose may name any id and any credit. A charge whose `epoch` is below the vault's has ended by an exit: its unpaid
 * part went back to the owner (`vault_epoch.defaulted`).
 */
export const vaultCharge = onchainTable(
  'vault_charge',
  (t) => ({
    /** `<vaultId>:<taskId>`. */
    id: t.text().primaryKey(),
    /** The vault. */
    vaultId: t.hex().notNull(),
    /** Id of the task; any id for a hook that is not the vault's own. */
    taskId: t.hex().notNull(),
    /** Hook that made the charge. No other hook can change it. */
    hook: t.hex().notNull(),
    /** True if the hook is the vault's own. */
    isOwnHook: t.boolean().notNull(),
    /** The manager whose task was charged. */
    manager: t.hex().notNull(),
    /** Epoch of the vault at the charge, from 0. */
    epoch: t.integer().notNull(),
    /** State: reserved, credited, settled (claims are open) or released. */
    state: t.text().notNull(),
    /** Amount reserved at first, base units of the vault's token: the sum of `net` and `fee`. */
    gross: t.bigint().notNull(),
    /** Part of `gross` for workers. */
    net: t.bigint().notNull(),
    /** Part of `gross` for the platform where the task pays out in full. */
    fee: t.bigint().notNull(),
    /** Amount that the task could pay, USDC base units. Awards of this amount earn all of `net`. Null: not credited. */
    base: t.bigint(),
    /** Amount owed to workers at the credit, base units of the vault's token. */
    credited: t.bigint().notNull(),
    /** Fee owed to the platform at the credit, base units of the vault's token. */
    creditedFee: t.bigint().notNull(),
    /**
     * Amount that became available again when the task ended, base units of the vault's token. Amounts that an exit
     * ended are not included.
     */
    released: t.bigint().notNull(),
    /** Amount claimed by workers, base units of the vault's token. */
    paid: t.bigint().notNull(),
    /** Time of the credit or release, Unix seconds; null: the task has not ended, or its hook missed the end. */
    endedAt: t.int8({ mode: 'bigint' }),
    /** Height of the block of that event; null with `endedAt`. */
    endedBlock: t.int8({ mode: 'bigint' }),
    /** Transaction of that event; null with `endedAt`. */
    endedTransaction: t.hex(),
    /** Place of that event in its block; null with `endedAt`. */
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

/** One row per settlement (`SettlementInstalled`): the merkle root of a charge's claims. Key: `<vaultId>:<taskId>`. */
export const vaultSettlement = onchainTable(
  'vault_settlement',
  (t) => ({
    /** `<vaultId>:<taskId>`. */
    id: t.text().primaryKey(),
    /** The vault. */
    vaultId: t.hex().notNull(),
    /** Id of the task; any id for a hook that is not the vault's own. */
    taskId: t.hex().notNull(),
    /** Epoch of the vault, from 0. */
    epoch: t.integer().notNull(),
    /** Merkle root of the claims. */
    root: t.hex().notNull(),
    /** Sum of the leaves, base units of the vault's token; equals the credit of the charge. */
    total: t.bigint().notNull(),
    ...position(t),
  }),
  (table) => ({
    byVault: index().on(table.vaultId, table.epoch, table.blockNumber, table.logIndex),
    byBlock: index().on(table.blockNumber),
  }),
)

/**
 * One row per leaf of a settlement by the vault's own hook: the earning of one award of the task. Key:
 * `<vaultId>:<taskId>:<index>`. Settlements of other hooks have no rows, because their lists need not match their root.
 */
export const vaultLeaf = onchainTable(
  'vault_leaf',
  (t) => ({
    /** `<vaultId>:<taskId>:<index>`. */
    id: t.text().primaryKey(),
    /** The vault. */
    vaultId: t.hex().notNull(),
    /** The task. */
    taskId: t.hex().notNull(),
    /** Epoch of the vault, from 0. */
    epoch: t.integer().notNull(),
    /** Position among the awards of the task, from 0; awards that earned nothing leave gaps. */
    index: t.integer().notNull(),
    /** Worker who may claim. */
    worker: t.hex().notNull(),
    /** Amount of the claim, base units of the vault's token. */
    amount: t.bigint().notNull(),
    /** Time of its claim, Unix seconds; null: not paid. */
    paidAt: t.int8({ mode: 'bigint' }),
    ...position(t),
  }),
  (table) => ({
    byTask: index().on(table.vaultId, table.taskId, table.index),
    byWorker: index().on(table.worker, table.vaultId),
  }),
)

/** One row per paid claim (`Claimed`). Key: `<vaultId>:<taskId>:<index>`: a leaf pays once. */
export const vaultClaim = onchainTable(
  'vault_claim',
  (t) => ({
    /** `<vaultId>:<taskId>:<index>`. */
    id: t.text().primaryKey(),
    /** The vault. */
    vaultId: t.hex().notNull(),
    /** Id of the task; any id for a hook that is not the vault's own. */
    taskId: t.hex().notNull(),
    /** Position of the leaf in its settlement, from 0. */
    index: t.integer().notNull(),
    /** Worker whose claim was paid. */
    worker: t.hex().notNull(),
    /** Account that received the tokens. */
    destination: t.hex().notNull(),
    /** Amount paid, base units of the vault's token. */
    amount: t.bigint().notNull(),
    /** Nonce of the claim, from 0 for each worker in this vault. */
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

/** One row per epoch of a vault. A vault has one epoch, and after an exit the next one. Key: `<vaultId>:<epoch>`. */
export const vaultEpoch = onchainTable('vault_epoch', (t) => ({
  /** `<vaultId>:<epoch>`. */
  id: t.text().primaryKey(),
  /** The vault. */
  vaultId: t.hex().notNull(),
  /** Number of the epoch, from 0. */
  epoch: t.integer().notNull(),
  /** Time of the creation of the vault, or of the exit before, Unix seconds. */
  startedAt: t.int8({ mode: 'bigint' }).notNull(),
  /** Time of the exit, Unix seconds; null: the epoch goes on. */
  endedAt: t.int8({ mode: 'bigint' }),
  /** Amount owed to workers and not claimed at the exit, base units of the vault's token; null: the epoch goes on. */
  defaulted: t.bigint(),
  /**
   * Amount that the exit sent to the account that the owner named, base units of the vault's token: the whole balance
   * without uncollected fees. It includes `defaulted` and plain transfers to the vault. Null: the epoch goes on.
   */
  returned: t.bigint(),
  /** Account that received `returned`; null: the epoch goes on. */
  returnedTo: t.hex(),
}))

/**
 * One row per event of a vault that is about no single charge: funding, withdrawals, fees, settings and the exit. Key:
 * `<vaultId>:<ordinal>`, ordinal from 0 within the vault.
 */
export const vaultEvent = onchainTable(
  'vault_event',
  (t) => ({
    /** `<vaultId>:<ordinal>`. */
    id: t.text().primaryKey(),
    /** The vault. */
    vaultId: t.hex().notNull(),
    /** Position in the history of the vault, from 0. */
    ordinal: t.integer().notNull(),
    /** The Solidity event name, such as Funded. */
    name: t.text().notNull(),
    /** Arguments of the event; amounts and times as decimal strings. */
    args: t.json().$type<Record<string, unknown>>().notNull(),
    ...position(t),
  }),
  (table) => ({
    byVault: index().on(table.vaultId, table.ordinal),
    byVaultBlock: index().on(table.vaultId, table.blockNumber),
    byName: index().on(table.name),
    byBlock: index().on(table.blockNumber),
    // The account that an event pays from, and the one that it pays.
    byFrom: index('vault_event_from_index').on(sql`(args->>'from')`, table.blockNumber),
    byTo: index('vault_event_to_index').on(sql`(args->>'to')`, table.blockNumber),
  }),
)
