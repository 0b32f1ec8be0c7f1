-- Returns one row per inconsistency between the entries of available funds and their running sums; none if all is well.
create or replace function fund_flow_violations() returns table (rule text, detail text)
  language sql stable
  as $$
    select 'entries_are_in_order_of_time', format('account %s version %s', account_id, version)
      from (select e.account_id, e.version, e.created_at, coalesce(lag(e.created_at) over w, old.last_at) as earlier,
          e.inflow_after_minor, e.amount_minor,
          coalesce(lag(e.inflow_after_minor) over w, old.inflow_after_minor, 0) as inflow_before
        from ledger_entry e
        left join (
          select distinct on (account_id) account_id, last_at, inflow_after_minor
          from archived_entry_sum order by account_id, month desc) old on old.account_id = e.account_id
        window w as (partition by e.account_id order by e.version)) e
      where created_at < earlier or inflow_after_minor <> inflow_before + greatest(amount_minor, 0)
    union all
    select 'statement_has_the_type', format('account %s version %s', e.account_id, e.version)
      from ledger_entry e join ledger_account a on a.merchant_id = e.merchant_id and a.id = e.account_id 
      join ledger_transfer t on t.merchant_id = e.merchant_id and t.id = e.transfer_id
      where e.statement_type is distinct from case when a.kind = 'available' then t.type end
    union all
    -- One side of a transfer may be archived and the other not.
    select 'funds_transfer_has_two_sides', format('%s: %s', t.subject_no, sum(e.amount_minor))
      from ledger_transfer t
      left join ledger_entry e on e.merchant_id = t.merchant_id and e.transfer_id = t.id and e.statement_type is not null
      where t.type in ('funds_transfer_in', 'funds_transfer_out')
      group by t.subject_no
      having sum(e.amount_minor) <> 0 and not bool_or(e.version is null and t.created_at < archived_entries_end())
  $$;
