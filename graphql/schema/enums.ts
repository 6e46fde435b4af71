import { GraphQLEnumType } from 'graphql/index.js'
import { bonusRoles, bonusSides, skipReasons } from '../../protocol/rules/bonus.ts'
import { claimStatuses } from '../../protocol/rules/claim-status.ts'
import { proofTypes } from '../../protocol/rules/proof-type.ts'
import { auctionTypes, taskModes, unknownName } from '../../protocol/rules/selectors.ts'
import { taskStatuses } from '../../protocol/rules/task-status.ts'
import { verdicts } from '../../protocol/rules/verdict.ts'

function enumOf(name: string, values: readonly string[]): GraphQLEnumType {
  return new GraphQLEnumType({ name, values: Object.fromEntries(values.map((value) => [value, {}])) })
}

const taskStatus = enumOf('TaskStatus', taskStatuses)

/** GraphQL enum types for text columns with a fixed set of values, by table and column. */
const enums: Record<string, Record<string, GraphQLEnumType>> = {
  bonusCredit: { role: enumOf('BonusSide', bonusSides) },
  bonusSkip: { role: enumOf('BonusRole', bonusRoles), reason: enumOf('SkipReason', skipReasons) },
  claim: { status: enumOf('ClaimStatus', claimStatuses) },
  evaluation: {
    verdict: enumOf('Verdict', verdicts),
    // A resolver always awards a part to the worker.
    resolution: enumOf('Resolution', ['approve', 'partial']),
  },
  marketEvent: { contract: enumOf('LoggingContract', ['market', 'forwarder', 'bonus']) },
  proof: { proofType: enumOf('ProofType', [...proofTypes, unknownName]) },
  referenceCode: { kind: enumOf('ReferenceKind', ['task', 'submission']) },
  task: {
    mode: enumOf('TaskMode', [...taskModes, unknownName]),
    status: taskStatus,
    auctionType: enumOf('AuctionType', [...auctionTypes, unknownName]),
  },
  taskEvent: { statusAfter: taskStatus },
  vaultCharge: { state: enumOf('ChargeState', ['reserved', 'credited', 'settled', 'released']) },
  verdictAward: { decidedBy: enumOf('Decider', ['evaluator', 'resolver']) },
}

/** Returns the enum type of a column; undefined if the column has no fixed set of values. */
export function findEnum(table: string, column: string): GraphQLEnumType | undefined {
  return enums[table]?.[column]
}
