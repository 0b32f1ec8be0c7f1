<?php

declare(strict_types=1);

namespace Hengfu\Types;

/**
 * Generated from sdk/openapi.json by "npm run sdk". Do not edit.
 * Name the arguments, as in new NewPayout(amount: '100.00', …). Fields that are null are not sent.
 */
final class NewPayout implements \JsonSerializable
{
    public function __construct(
        public readonly string $outTradeNo,
        /** CNY, USD, INR, BRL, VND, USDT; more may be added. */
        public readonly string $currency,
        /** CN_BANK, VN_NAPAS, IN_IMPS, BR_PIX; more may be added. */
        public readonly string $channel,
        public readonly string $amount,
        public readonly string $payee,
        public readonly string $payeeAccount,
        public readonly ?string $bank = null,
        public readonly ?string $bankName = null,
        public readonly ?string $branchName = null,
        public readonly ?string $ifsc = null,
        /** CPF, CNPJ, PHONE, EMAIL, EVP; more may be added. */
        public readonly ?string $accountType = null,
        public readonly ?string $taxId = null,
        public readonly ?string $remark = null,
        public readonly ?string $notifyUrl = null,
        public readonly ?bool $confirmSimilar = null,
    ) {
    }

    /** @return array<string, mixed> */
    public function jsonSerialize(): array
    {
        return array_filter([
            'out_trade_no' => $this->outTradeNo,
            'currency' => $this->currency,
            'channel' => $this->channel,
            'amount' => $this->amount,
            'payee' => $this->payee,
            'payeeAccount' => $this->payeeAccount,
            'bank' => $this->bank,
            'bankName' => $this->bankName,
            'branchName' => $this->branchName,
            'ifsc' => $this->ifsc,
            'accountType' => $this->accountType,
            'taxId' => $this->taxId,
            'remark' => $this->remark,
            'notifyUrl' => $this->notifyUrl,
            'confirmSimilar' => $this->confirmSimilar,
        ], static fn (mixed $value): bool => $value !== null);
    }
}
