-- Finds the newest page of the list with the versions of its tasks, as the service did on 30 November 2026. It stays as it is,
-- so that a slower statement of the service shows. $1 and $2 separate the parts of the text.
select
  row(
    pg_postmaster_start_time(),
    (select schema_version || ' ' || coalesce(origin, '') from indexed_head),
    (select paused from market_config),
    (select count from service.content_changes)
  )::text as shared,
  (select version from indexed_head) as indexed,
  concat_ws(
    ' ',
    (select count from service.content_changes),
    pg_is_in_recovery(),
    (select concat_ws(' ', block_number, coalesce(version, ''), coalesce(schema_version, '')) from indexed_head)
  ) as position,
  (
    select string_agg(
      t.id || t.position || $1 || row(
        t.row_version, requester_agent.agent_id, worker_agent.agent_id, published.public_key, member.drop_id,
        case when t.created_content_hash <> t.content_hash then exists (
          select from service.task_content where requester = t.requester and content_hash = t.created_content_hash
        ) end,
        access.password_hash is not null,
        (
          select jsonb_agg(
            jsonb_build_object(
              'vaultId', charge.vault_id, 'token', vault.token, 'tokenSymbol', vault.token_symbol,
              'tokenDecimals', vault.token_decimals, 'gross', charge.gross::text, 'net', charge.net::text,
              'state', charge.state, 'credited', charge.credited::text, 'paid', charge.paid::text,
              'epoch', charge.epoch, 'vaultEpoch', vault.epoch,
              'curationStatus', coalesce(curation.status, 'unverified')
            ) order by charge.vault_id
          )
          from vault_charge charge
            join sponsored_vault vault using (vault_id)
            left join service.vault_curation curation using (vault_id)
          where charge.task_id = t.id and charge.is_own_hook
        )
      )::text,
      $2 order by t.place
    )
    from (
      select t.*, row_number() over (order by t.created_at_ms desc) as place, t.created_at_ms::text as position
      from (
        select
          t.id, t.created_at_ms, t.reward, t.expiry_time, t.row_version, t.requester, t.worker, t.primary_worker,
          t.content_hash, t.created_content_hash
        from task t
          cross join lateral (
            select from service.task_content
            where content_hash = t.content_hash and requester = t.requester and task_visibility = 'public'
            limit 1
          ) as c
        where t.listed
        order by t.created_at_ms desc limit 21
      ) as t
      order by place limit 21
    ) as t
      left join agent requester_agent on requester_agent.address = t.requester
      left join agent worker_agent on worker_agent.address = coalesce(t.worker, t.primary_worker)
      left join service.published_keys published on published.wallet = t.requester
      left join service.task_drop_members member
        on member.requester = t.requester and member.created_content_hash = t.created_content_hash
      left join service.task_access access
        on access.requester = t.requester and access.content_hash = t.created_content_hash
  ) as heads
