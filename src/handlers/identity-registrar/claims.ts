import { ponder } from 'ponder:registry'
import { adoptIdentity, claimIdentity } from '../../store/identities.ts'

/** The registrar registered an identity and handed it over to the actor, whose identity it is from here on. */
ponder.on('IdentityRegistrar:AgentRegistered', async ({ event, context }) => {
  await claimIdentity(context.db, event.args.agentId, event.args.actor)
})

ponder.on('IdentityRegistrar:AgentAdopted', async ({ event, context }) => {
  await adoptIdentity(context.db, event.args.agentId, event.args.actor)
})
