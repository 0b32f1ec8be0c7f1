import { unauthorizedRoute } from './401.tsx';
import { forbiddenRoute } from './403.tsx';
import { notFoundRoute } from './404.tsx';
import { approvalsRoute } from './approvals.tsx';
import { authenticationRoute } from './authentication.tsx';
import { transfersApplyRoute } from './behalfPay/apply.tsx';
import { transfersRoute } from './behalfPay/transfers.tsx';
import { editLinkRoute, linkCardRoute } from './collection/link.tsx';
import { linksRoute } from './collection/links.tsx';
import { newCollectionRoute } from './collection/newCollection.tsx';
import { paymentsRoute } from './collection/payments.tsx';
import { refundsRoute } from './collection/refunds.tsx';
import { settlementsRoute } from './collection/settlements.tsx';
import { contactUsRoute } from './contactUs.tsx';
import { dashboardRoute } from './dashboard.tsx';
import { callbacksRoute } from './developers/callbacks.tsx';
import { callbackEndpointsRoute } from './developers/endpoints.tsx';
import { referenceRoute } from './developers/reference.tsx';
import { requestsRoute } from './developers/requests.tsx';
import { dailyReportRoute } from './fund/dailyReport.tsx';
import { fundWaterRoute } from './fund/fundWater.tsx';
import { invitationRoute } from './invitation.tsx';
import { lineExportRoute } from './lineExport.tsx';
import { loginRoute } from './login.tsx';
import { rechargeRecordRoute } from './recharge/record.tsx';
import { rechargeTopupRoute } from './recharge/topup.tsx';
import { redirectRoute } from './redirect.tsx';
import { anyOtherRoute, redirectRoutes } from './redirects.tsx';
import { rootRoute, shellRoute } from './root.tsx';
import { accountSecurityRoute } from './setting/accountSecurity.tsx';
import { approvalRulesRoute } from './setting/approvals.tsx';
import { auditLogRoute } from './setting/auditLog.tsx';
import { checkoutRoute } from './setting/checkout.tsx';
import { interfaceKeyRoute } from './setting/interfaceKey.tsx';
import { ipAddressRoute } from './setting/ipAddress.tsx';
import { keysRoute } from './setting/keys.tsx';
import { paymentPasswordRoute } from './setting/paymentPassword.tsx';
import { personalDataRoute } from './setting/personalData.tsx';
import { teamRoute } from './setting/team.tsx';
import { slipRoute } from './slip.tsx';
import { statusPagesRoute } from './statusPages.tsx';
import { withdrawalApplyRoute } from './withdrawal/apply.tsx';
import { withdrawalRecordRoute } from './withdrawal/record.tsx';
import { workplaceRoute } from './workplace.tsx';

/** Every route of the console (specification, point 2). */
export const routeTree = rootRoute.addChildren([
  loginRoute,
  authenticationRoute,
  workplaceRoute,
  slipRoute,
  invitationRoute,
  ...redirectRoutes,
  anyOtherRoute,
  shellRoute.addChildren([
    dashboardRoute,
    paymentsRoute,
    refundsRoute,
    newCollectionRoute,
    linksRoute,
    editLinkRoute,
    linkCardRoute,
    settlementsRoute,
    transfersApplyRoute,
    transfersRoute,
    rechargeTopupRoute,
    rechargeRecordRoute,
    withdrawalApplyRoute,
    withdrawalRecordRoute,
    approvalsRoute,
    fundWaterRoute,
    dailyReportRoute,
    callbacksRoute,
    callbackEndpointsRoute,
    personalDataRoute,
    accountSecurityRoute,
    paymentPasswordRoute,
    interfaceKeyRoute,
    keysRoute,
    ipAddressRoute,
    checkoutRoute,
    teamRoute,
    approvalRulesRoute,
    auditLogRoute,
    requestsRoute,
    referenceRoute,
    lineExportRoute,
    contactUsRoute,
    statusPagesRoute,
    unauthorizedRoute,
    forbiddenRoute,
    notFoundRoute,
    redirectRoute,
  ]),
]);
