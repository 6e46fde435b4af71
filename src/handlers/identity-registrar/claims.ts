import { ponder } from 'ponder:registry'
import { identityRegistration } from '../../schema/agent.ts'
import { adoptIdentity, claimIdentity } from '../../store/identities.ts'

/**
 * Records that the registrar registered an identity for the actor. The registration counts as the actor's claim of the
 * identity.
 */
ponder.on('IdentityRegistrar:AgentRegistered', async ({ event, context }) => {
  const { agentId, actor } = event.args
  await claimIdentity(context.db, agentId, actor)
  const registration = await context.db.find(identityRegistration, { agentId })
  if (registration?.transactionHash !== event.transaction.hash) return
  await context.db.update(identityRegistration, { agentId }).set({ account: actor })
})

ponder.on('IdentityRegistrar:AgentAdopted', async ({ event, context }) => {
  await adoptIdentity(context.db, event.args.agentId, event.args.actor)
})
