"""A payment with only an invoice number finds its customer if that is unambiguous."""

PAYMENTS = "/api/v1/reminders/payments"
WISH = {"reference": "bank-1", "amount": "100.00", "currency": "EUR"}


async def test_an_invoice_number_alone_says_who_paid(api, owing):
    await owing("acme")
    wish = {**WISH, "invoice": "acme-1"}
    first, second = [await api.post(PAYMENTS, json=wish) for _ in range(2)]
    assert (first.status_code, first.json()["towards"]) == (201, {"acme-1": "100.00"})
    assert (second.status_code, second.json()["recorded"]) == (200, False)
    [invoice] = (await api.get("/api/v1/reminders/invoices", params={"number": "acme-1"})).json()["items"]
    assert (invoice["customer_id"], invoice["state"]) == ("acme", "paid")


async def test_a_payment_of_nobody_of_an_unknown_invoice_or_of_several_customers_is_refused_clearly(api, owing):
    await owing("acme")
    await owing("birch")
    nobody = await api.post(PAYMENTS, json=WISH)
    assert (nobody.status_code, "the invoice that is paid" in nobody.text) == (422, True)
    unknown = await api.post(PAYMENTS, json={**WISH, "invoice": "A-404"})
    assert (unknown.status_code, "Invoice A-404 doesn't exist" in unknown.json()["detail"]) == (404, True)
    both = {**WISH, "towards": {"acme-1": "50.00", "birch-1": "50.00"}}
    assert "several customers" in (await api.post(PAYMENTS, json=both)).json()["detail"]
    twice = await api.post(PAYMENTS, json={**both, "invoice": "acme-1"})
    assert (twice.status_code, "not both" in twice.text) == (422, True)
    foreign = await api.post(PAYMENTS, json={**WISH, "customer_id": "birch", "invoice": "acme-1"})
    assert (foreign.status_code, "This customer has no open invoice" in foreign.json()["detail"]) == (404, True)
